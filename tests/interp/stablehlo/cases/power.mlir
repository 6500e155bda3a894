// RUN all
// IN 0 [-1, -1, -3, 1, -3, 0]
// IN 1 [1, 0, -3, -3, 3, 2]
// OUT 0 [-1, 1, 0, 1, -27, 0]
func.func @main(%a: tensor<6xi64>, %b: tensor<6xi64>) -> tensor<6xi64> {
  %0 = stablehlo.power %a, %b : tensor<6xi64>
  func.return %0 : tensor<6xi64>
}
// -----
// RUN all
// IN 0 [0, 0, 1, 1, 5]
// IN 1 [0, 1, 0, 2, 5]
// OUT 0 [1, 0, 1, 1, 3125]
func.func @main(%a: tensor<5xui64>, %b: tensor<5xui64>) -> tensor<5xui64> {
  %0 = stablehlo.power %a, %b : tensor<5xui64>
  func.return %0 : tensor<5xui64>
}
// -----
// RUN native f64 f32 wide
// IN 0 [-2.0, -0.0, 5.0, 4.0]
// IN 1 [2.0, 2.0, 2.0, 0.5]
// OUT 0 [4.0, 0.0, 25.0, 2.0]
func.func @main(%a: tensor<4xf64>, %b: tensor<4xf64>) -> tensor<4xf64> {
  %0 = stablehlo.power %a, %b : tensor<4xf64>
  func.return %0 : tensor<4xf64>
}
