// RUN native f64 f32 wide bounded
// IN 0 [0x7FF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000, -10.0, -0.0, 0.0, 10.0]
// OUT 0 [false, false, false, true, true, true, true]
func.func @main(%a: tensor<7xf64>) -> tensor<7xi1> {
  %0 = stablehlo.is_finite %a : (tensor<7xf64>) -> tensor<7xi1>
  func.return %0 : tensor<7xi1>
}
// -----
// RUN exact
// IN 0 [0xFF800000, 1.0]
// OUT 0 [false, true]
func.func @main(%a: tensor<2xf32>) -> tensor<2xi1> {
  %0 = stablehlo.is_finite %a : (tensor<2xf32>) -> tensor<2xi1>
  func.return %0 : tensor<2xi1>
}
