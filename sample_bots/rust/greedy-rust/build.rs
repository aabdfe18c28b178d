//! Makes the stubs of the arena's proto files, without protoc: protox compiles them.

use std::{env, error::Error, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-env-changed=ARENA_PROTO");
    let root = env::var("ARENA_PROTO").unwrap_or_else(|_| "../../../proto".into());
    println!("cargo:rerun-if-changed={root}");
    let files = protox::compile(["arena/v1/play.proto"], [PathBuf::from(root)])?;
    tonic_prost_build::configure().build_server(false).compile_fds(files)?;
    Ok(())
}
