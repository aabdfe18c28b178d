// Stubs makes the Go stubs of the arena's proto files in build/arena/v1, without protoc: a compiler
// of proto files written in Go reads them, the two plugins of Go write the code.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

const home = "greedy/build/arena/v1" // the import path of what is made

var plugins = []string{
	"google.golang.org/protobuf/cmd/protoc-gen-go",
	"google.golang.org/grpc/cmd/protoc-gen-go-grpc",
}

func main() {
	log.SetFlags(0)
	root := os.Getenv("ARENA_PROTO")
	if root == "" {
		root = filepath.FromSlash("../../../proto")
	}
	request, err := request(root)
	for _, plugin := range plugins {
		if err == nil {
			err = generate(plugin, request)
		}
	}
	if err != nil {
		log.Fatalf("stubs: %v", err)
	}
}

// request compiles play.proto and all that it imports into what a plugin of protoc reads.
func request(root string) ([]byte, error) {
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{root}}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(context.Background(), "arena/v1/play.proto")
	if err != nil {
		return nil, err
	}
	parameter := "paths=source_relative"
	var wanted []string
	var all []*descriptorpb.FileDescriptorProto
	seen := map[string]bool{}
	var visit func(file protoreflect.FileDescriptor)
	visit = func(file protoreflect.FileDescriptor) {
		if seen[file.Path()] {
			return
		}
		seen[file.Path()] = true
		for i := range file.Imports().Len() {
			visit(file.Imports().Get(i).FileDescriptor)
		}
		all = append(all, protodesc.ToFileDescriptorProto(file)) // what it imports comes before it
		wanted = append(wanted, file.Path())
		parameter += fmt.Sprintf(",M%s=%s", file.Path(), home)
	}
	visit(files[0])
	return proto.Marshal(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: wanted, Parameter: &parameter, ProtoFile: all,
	})
}

// generate runs one plugin and writes the files that it answers with.
func generate(plugin string, request []byte) error {
	command := exec.Command("go", "run", plugin)
	command.Stdin = bytes.NewReader(request)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", plugin, err)
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(output, &response); err != nil {
		return fmt.Errorf("%s: %w", plugin, err)
	}
	if response.Error != nil {
		return fmt.Errorf("%s: %s", plugin, response.GetError())
	}
	for _, file := range response.File {
		path := filepath.Join("build", file.GetName())
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(file.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
