//go:build tools

package main

import _ "google.golang.org/grpc/cmd/protoc-gen-go-grpc" // keeps the plugin in go.mod
