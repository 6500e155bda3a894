// RUN native f64
// IN 0 [0x7FF0000000000000, 0x7FFFFFFFFFFFFFFF, 0x0000000000000001, 0.0, 65505.0, 65520.0]
// OUT 0 [0x7FF0000000000000, 0x7FFFFFFFFFFFFFFF, 0.0, 0.0, 65504.0, 0x7FF0000000000000]
func.func @main(%a: tensor<6xf64>) -> tensor<6xf64> {
  %0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<6xf64>
  func.return %0 : tensor<6xf64>
}
// -----
// RUN native f64
// IN 0 [0x7FFFFFFFFFFFFFFF]
// OUT 0 [0x7FF0000000000000]
func.func @main(%a: tensor<1xf64>) -> tensor<1xf64> {
  %0 = stablehlo.reduce_precision %a, format = e5m0 : tensor<1xf64>
  func.return %0 : tensor<1xf64>
}
// -----
// RUN all
// IN 0 [257.0, 3.0]
// OUT 0 [257.0, 3.0]
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.reduce_precision %a, format = e8m23 : tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [257.0, 3.0]
// OUT 0 [256.0, 3.0]
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.reduce_precision %a, format = e8m7 : tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
