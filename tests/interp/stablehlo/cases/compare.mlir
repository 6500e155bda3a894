// RUN native f64 f32 wide bounded
// IN 0 [1.0, 3.0]
// IN 1 [1.1, 2.9]
// OUT 0 [true, false]
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xi1> {
  %0 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  func.return %0 : tensor<2xi1>
}
// -----
// RUN all
// IN 0 [-1, 2, 3]
// IN 1 [1, -2, 3]
// OUT 0 [false, false, true]
func.func @main(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi1> {
  %0 = stablehlo.compare EQ, %a, %b : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  func.return %0 : tensor<3xi1>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [-1.0, 2.0, 3.0]
// IN 1 [1.0, -2.0, 3.0]
// OUT 0 [false, false, true]
func.func @main(%a: tensor<3xf64>, %b: tensor<3xf64>) -> tensor<3xi1> {
  %0 = stablehlo.compare EQ, %a, %b : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  func.return %0 : tensor<3xi1>
}
// -----
// RUN all
// IN 0 [-1, 2, 3]
// IN 1 [1, -2, 3]
// OUT 0 [true, true, false]
func.func @main(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi1> {
  %0 = stablehlo.compare NE, %a, %b : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  func.return %0 : tensor<3xi1>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [-1.0, 2.0, 3.0]
// IN 1 [1.0, -2.0, 3.0]
// OUT 0 [true, true, false]
func.func @main(%a: tensor<3xf64>, %b: tensor<3xf64>) -> tensor<3xi1> {
  %0 = stablehlo.compare NE, %a, %b : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  func.return %0 : tensor<3xi1>
}
// -----
// RUN all
// IN 0 [-1, 2, 3]
// IN 1 [1, -2, 3]
// OUT 0 [false, true, true]
func.func @main(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi1> {
  %0 = stablehlo.compare GE, %a, %b : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  func.return %0 : tensor<3xi1>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [-1.0, 2.0, 3.0]
// IN 1 [1.0, -2.0, 3.0]
// OUT 0 [false, true, true]
func.func @main(%a: tensor<3xf64>, %b: tensor<3xf64>) -> tensor<3xi1> {
  %0 = stablehlo.compare GE, %a, %b : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  func.return %0 : tensor<3xi1>
}
// -----
// RUN all
// IN 0 [-1, 2, 3]
// IN 1 [1, -2, 3]
// OUT 0 [false, true, false]
func.func @main(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  func.return %0 : tensor<3xi1>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [-1.0, 2.0, 3.0]
// IN 1 [1.0, -2.0, 3.0]
// OUT 0 [false, true, false]
func.func @main(%a: tensor<3xf64>, %b: tensor<3xf64>) -> tensor<3xi1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  func.return %0 : tensor<3xi1>
}
// -----
// RUN all
// IN 0 [-1, 2, 3]
// IN 1 [1, -2, 3]
// OUT 0 [true, false, true]
func.func @main(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi1> {
  %0 = stablehlo.compare LE, %a, %b : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  func.return %0 : tensor<3xi1>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [-1.0, 2.0, 3.0]
// IN 1 [1.0, -2.0, 3.0]
// OUT 0 [true, false, true]
func.func @main(%a: tensor<3xf64>, %b: tensor<3xf64>) -> tensor<3xi1> {
  %0 = stablehlo.compare LE, %a, %b : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  func.return %0 : tensor<3xi1>
}
// -----
// RUN all
// IN 0 [-1, 2, 3]
// IN 1 [1, -2, 3]
// OUT 0 [true, false, false]
func.func @main(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
  func.return %0 : tensor<3xi1>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [-1.0, 2.0, 3.0]
// IN 1 [1.0, -2.0, 3.0]
// OUT 0 [true, false, false]
func.func @main(%a: tensor<3xf64>, %b: tensor<3xf64>) -> tensor<3xi1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  func.return %0 : tensor<3xi1>
}
// -----
// RUN native f64 f32 wide
// IN 0 [0x7FC00000, 0.0]
// IN 1 [1.0, -0.0]
// OUT 0 [false, true]
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xi1> {
  %0 = stablehlo.compare EQ, %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  func.return %0 : tensor<2xi1>
}
// -----
// RUN native f64 f32 wide
// IN 0 [0x7FC00000, 0.0]
// IN 1 [1.0, -0.0]
// OUT 0 [true, false]
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xi1> {
  %0 = stablehlo.compare NE, %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  func.return %0 : tensor<2xi1>
}
// -----
// RUN native f64 f32 wide
// IN 0 [0x7FC00000, 0.0]
// IN 1 [1.0, -0.0]
// OUT 0 [false, true]
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xi1> {
  %0 = stablehlo.compare GE, %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  func.return %0 : tensor<2xi1>
}
// -----
// RUN native f64 f32 wide
// IN 0 [0x7FC00000, 0.0]
// IN 1 [1.0, -0.0]
// OUT 0 [false, false]
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xi1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  func.return %0 : tensor<2xi1>
}
// -----
// RUN exact
// IN 0 [1.0, 2.0, 0.0]
// IN 1 [1.0, 1.0, 0.0]
// OUT 0 [true, false, true]
func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xi1> {
  %0 = stablehlo.compare EQ, %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  func.return %0 : tensor<3xi1>
}
// -----
// RUN native f64 f32
// IN 0 [-0.0, 0x7FC00000, 1.0]
// IN 1 [0.0, 0x7F800000, 2.0]
// OUT 0 [true, false, true]
func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xi1> {
  %0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  func.return %0 : tensor<3xi1>
}
// -----
// RUN all
// IN 0 [255, 1]
// IN 1 [1, 2]
// OUT 0 [true, false]
func.func @main(%a: tensor<2xui8>, %b: tensor<2xui8>) -> tensor<2xi1> {
  %0 = stablehlo.compare GT, %a, %b, UNSIGNED : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  func.return %0 : tensor<2xi1>
}
// -----
// RUN all
// IN 0 [18446744073709551615, 1]
// IN 1 [1, 2]
// OUT 0 [true, false]
func.func @main(%a: tensor<2xui64>, %b: tensor<2xui64>) -> tensor<2xi1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  func.return %0 : tensor<2xi1>
}
// -----
// RUN all
// IN 0 [false, false, true, true]
// IN 1 [false, true, false, true]
// OUT 0 [false, true, false, false]
func.func @main(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %0 = stablehlo.compare LT, %a, %b : tensor<4xi1>
  func.return %0 : tensor<4xi1>
}
// -----
// RUN native
// ERROR compare_type
func.func @main(%a: tensor<2xi32>) -> tensor<2xi1> {
  %0 = stablehlo.compare LT, %a, %a, FLOAT : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  func.return %0 : tensor<2xi1>
}
