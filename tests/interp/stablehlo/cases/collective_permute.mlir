// RUN all
// IN 0@0 [[1, 2], [3, 4]]
// IN 0@1 [[5, 6], [7, 8]]
// IN 0@2 [[9, 10], [11, 12]]
// OUT 0@0 [[0, 0], [0, 0]]
// OUT 0@1 [[1, 2], [3, 4]]
// OUT 0@2 [[5, 6], [7, 8]]
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 3 : i32} {
  func.func public @main(%a: tensor<2x2xi64>) -> tensor<2x2xi64> {
    %0 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 0, type = 0>} : (tensor<2x2xi64>) -> tensor<2x2xi64>
    func.return %0 : tensor<2x2xi64>
  }
}
// -----
// RUN native
// IN 0@0 [1]
// IN 0@1 [2]
// ERROR expected each source once
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%a: tensor<1xi64>) -> tensor<1xi64> {
    %0 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<1xi64>) -> tensor<1xi64>
    func.return %0 : tensor<1xi64>
  }
}
