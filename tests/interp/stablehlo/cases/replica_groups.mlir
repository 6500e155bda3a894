// Case 40. No groups, written in either way: everyone.
// RUN all
// IN 0@0 1
// IN 0@1 2
// IN 0@2 4
// OUT 0 7
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<> : tensor<0x0xi64>} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// Rows of different lengths are filled up with -1.
// RUN all
// IN 0@0 1
// IN 0@1 2
// IN 0@2 4
// OUT 0@0 5
// OUT 0@1 2
// OUT 0@2 5
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// An id twice.
// RUN all
// IN 0@0 1
// IN 0@1 2
// ERROR stablehlo.all_reduce: replica_groups: 1 comes twice
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 1]]> : tensor<1x3xi64>} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// An id that is no replica's.
// RUN all
// IN 0@0 1
// IN 0@1 2
// ERROR stablehlo.all_reduce: replica_groups: expected ids from 0 to 1, found 2
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// A negative id other than the filler.
// RUN all
// IN 0@0 1
// IN 0@1 2
// ERROR stablehlo.all_reduce: replica_groups: expected ids from 0 to 1, found -2
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1, -2]]> : tensor<1x3xi64>} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// A replica that no group has.
// RUN all
// IN 0@0 1
// IN 0@1 2
// IN 0@2 4
// ERROR stablehlo.all_reduce: replica_groups: 1 is in no group
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>} : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// The module is for another number of replicas.
// RUN all
// IN 0@0 1
// IN 0@1 2
// ERROR the module is for 3 replicas, found R = 2
module attributes {mhlo.num_replicas = 3 : i32} {
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
}
// -----
// RUN all
// IN 0@0 1
// IN 0@1 2
// ERROR replicas and partitions at once are not supported
module attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 2 : i32} {
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  return %x : tensor<f32>
}
}
