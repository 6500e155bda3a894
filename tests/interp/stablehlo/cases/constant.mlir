// RUN all
// OUT 0 [[1.5, -2.0], [0.0, 3.0]]
func.func @main() -> tensor<2x2xf32> {
  %0 = stablehlo.constant dense<[[1.5, -2.0], [0.0, 3.0]]> : tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// -----
// RUN all
// OUT 0 [true, false]
// OUT 1 [7, 7]
func.func @main() -> (tensor<2xi1>, tensor<2xi8>) {
  %0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %1 = stablehlo.constant dense<7> : tensor<2xi8>
  func.return %0, %1 : tensor<2xi1>, tensor<2xi8>
}
// -----
// RUN all
// OUT 0 [1.0009765625, 1.0]
func.func @main() -> tensor<2xf16> {
  %0 = stablehlo.constant dense<[0x3C01, 1.0]> : tensor<2xf16>
  func.return %0 : tensor<2xf16>
}
// -----
// RUN native exact f64 f32 wide bounded
// OUT 0 [256.0]
func.func @main() -> tensor<1xbf16> {
  %0 = stablehlo.constant dense<257.0> : tensor<1xbf16>
  func.return %0 : tensor<1xbf16>
}
