// RUN all
// IN 0 [-2, 0, 2]
// OUT 0 [2, 0, 2]
func.func @main(%a: tensor<3xi32>) -> tensor<3xi32> {
  %0 = stablehlo.abs %a : tensor<3xi32>
  func.return %0 : tensor<3xi32>
}
// -----
// RUN all
// IN 0 [-128, -1]
// OUT 0 [-128, 1]
func.func @main(%a: tensor<2xi8>) -> tensor<2xi8> {
  %0 = stablehlo.abs %a : tensor<2xi8>
  func.return %0 : tensor<2xi8>
}
// -----
// RUN native f64 f32
// IN 0 [-2.5, -0.0, 3.0, 0x7FC00000]
// OUT 0 [2.5, 0.0, 3.0, 0x7FC00000]
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
// -----
// RUN native
// ERROR signed
func.func @main(%a: tensor<2xui8>) -> tensor<2xui8> {
  %0 = stablehlo.abs %a : tensor<2xui8>
  func.return %0 : tensor<2xui8>
}
