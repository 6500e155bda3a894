// RUN all
// IN 0 [-1, 0, 1]
// OUT 0 [-1.0, 0.0, 1.0]
func.func @main(%a: tensor<3xi64>) -> tensor<3xf64> {
  %0 = stablehlo.convert %a : (tensor<3xi64>) -> tensor<3xf64>
  func.return %0 : tensor<3xf64>
}
// -----
// RUN all
// IN 0 [300, -129, 255]
// OUT 0 [44, 127, -1]
func.func @main(%a: tensor<3xi64>) -> tensor<3xi8> {
  %0 = stablehlo.convert %a : (tensor<3xi64>) -> tensor<3xi8>
  func.return %0 : tensor<3xi8>
}
// -----
// RUN native f64 f32 wide
// IN 0 [-2.75, 2.75, 0.5]
// OUT 0 [-2, 2, 0]
func.func @main(%a: tensor<3xf32>) -> tensor<3xi32> {
  %0 = stablehlo.convert %a : (tensor<3xf32>) -> tensor<3xi32>
  func.return %0 : tensor<3xi32>
}
// -----
// RUN native f64 f32 wide
// IN 0 [0x7FC00000, 0x7F800000, 0xFF800000, 300.0, -200.0]
// OUT 0 [0, 127, -128, 127, -128]
func.func @main(%a: tensor<5xf32>) -> tensor<5xi8> {
  %0 = stablehlo.convert %a : (tensor<5xf32>) -> tensor<5xi8>
  func.return %0 : tensor<5xi8>
}
// -----
// RUN native f64 wide
// IN 0 [-1.0, 1.0e30, 255.9, 3.0]
// OUT 0 [0, 255, 255, 3]
func.func @main(%a: tensor<4xf64>) -> tensor<4xui8> {
  %0 = stablehlo.convert %a : (tensor<4xf64>) -> tensor<4xui8>
  func.return %0 : tensor<4xui8>
}
// -----
// RUN native f64 wide
// IN 0 [1.0e19, 9.3e18]
// OUT 0 [10000000000000000000, 9300000000000000000]
func.func @main(%a: tensor<2xf64>) -> tensor<2xui64> {
  %0 = stablehlo.convert %a : (tensor<2xf64>) -> tensor<2xui64>
  func.return %0 : tensor<2xui64>
}
// -----
// RUN native f64 f32 wide
// IN 0 [0.0, -0.0, 0.5, 0x7FC00000]
// OUT 0 [false, false, true, true]
func.func @main(%a: tensor<4xf32>) -> tensor<4xi1> {
  %0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xi1>
  func.return %0 : tensor<4xi1>
}
// -----
// RUN native exact f64 f32 wide bounded
// IN 0 [true, false]
// OUT 0 [1.0, 0.0]
func.func @main(%a: tensor<2xi1>) -> tensor<2xf32> {
  %0 = stablehlo.convert %a : (tensor<2xi1>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// RUN native exact f64 f32 wide bounded
// IN 0 [true, false]
// OUT 0 [1, 0]
func.func @main(%a: tensor<2xi1>) -> tensor<2xi32> {
  %0 = stablehlo.convert %a : (tensor<2xi1>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}
// -----
// RUN native exact f64 f32 wide bounded
// IN 0 [-3, 0]
// OUT 0 [true, false]
func.func @main(%a: tensor<2xi32>) -> tensor<2xi1> {
  %0 = stablehlo.convert %a : (tensor<2xi32>) -> tensor<2xi1>
  func.return %0 : tensor<2xi1>
}
// -----
// RUN native f64 f32 wide bounded
// IN 0 [257.0, 1.00390625, 3.0]
// OUT 0 [256.0, 1.0, 3.0]
func.func @main(%a: tensor<3xf32>) -> tensor<3xbf16> {
  %0 = stablehlo.convert %a : (tensor<3xf32>) -> tensor<3xbf16>
  func.return %0 : tensor<3xbf16>
}
// -----
// RUN all
// IN 0 [257, 259, 3]
// OUT 0 [256.0, 260.0, 3.0]
func.func @main(%a: tensor<3xi32>) -> tensor<3xbf16> {
  %0 = stablehlo.convert %a : (tensor<3xi32>) -> tensor<3xbf16>
  func.return %0 : tensor<3xbf16>
}
// -----
// RUN native f64 f32
// IN 0 [2049.0, 65519.0, 65520.0, 5.9604645e-08]
// OUT 0 [2048.0, 65504.0, 0x7C00, 5.9604645e-08]
func.func @main(%a: tensor<4xf32>) -> tensor<4xf16> {
  %0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xf16>
  func.return %0 : tensor<4xf16>
}
// -----
// RUN native f32
// IN 0 [16777217.0]
// OUT 0 [16777216.0]
func.func @main(%a: tensor<1xf64>) -> tensor<1xf32> {
  %0 = stablehlo.convert %a : (tensor<1xf64>) -> tensor<1xf32>
  func.return %0 : tensor<1xf32>
}
// -----
// RUN f64 exact wide
// IN 0 [16777217.0]
// OUT 0 [16777217.0]
func.func @main(%a: tensor<1xf64>) -> tensor<1xf32> {
  %0 = stablehlo.convert %a : (tensor<1xf64>) -> tensor<1xf32>
  func.return %0 : tensor<1xf32>
}
// -----
// RUN all
// IN 0 [256.0]
// OUT 0 [256.0]
func.func @main(%a: tensor<1xbf16>) -> tensor<1xf32> {
  %0 = stablehlo.convert %a : (tensor<1xbf16>) -> tensor<1xf32>
  func.return %0 : tensor<1xf32>
}
// -----
// RUN native f64
// IN 0 [9007199254740993, -9007199254740993]
// OUT 0 [9007199254740992.0, -9007199254740992.0]
func.func @main(%a: tensor<2xi64>) -> tensor<2xf64> {
  %0 = stablehlo.convert %a : (tensor<2xi64>) -> tensor<2xf64>
  func.return %0 : tensor<2xf64>
}
// -----
// RUN native f64 f32
// IN 0 [18446744073709551615]
// OUT 0 [18446744073709551616.0]
func.func @main(%a: tensor<1xui64>) -> tensor<1xf64> {
  %0 = stablehlo.convert %a : (tensor<1xui64>) -> tensor<1xf64>
  func.return %0 : tensor<1xf64>
}
// -----
// RUN exact bounded degree
// IN 0 [1.0]
// ERROR conversion of floats to integers has no meaning in the domain
func.func @main(%a: tensor<1xf32>) -> tensor<1xi32> {
  %0 = stablehlo.convert %a : (tensor<1xf32>) -> tensor<1xi32>
  func.return %0 : tensor<1xi32>
}
// -----
// RUN native
// ERROR result 0
func.func @main(%a: tensor<2xf32>) -> tensor<3xi32> {
  %0 = stablehlo.convert %a : (tensor<2xf32>) -> tensor<3xi32>
  func.return %0 : tensor<3xi32>
}
