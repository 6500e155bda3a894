// RUN all
// IN 0 [[1, 2], [3, 4]]
// IN 1 [[5, 6], [7, 8]]
// OUT 0 [[6, 8], [10, 12]]
func.func @main(%a: tensor<2x2xi32>, %b: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %0 = stablehlo.add %a, %b : tensor<2x2xi32>
  func.return %0 : tensor<2x2xi32>
}
// -----
// RUN all
// IN 0 [127, -128]
// IN 1 [1, -1]
// OUT 0 [-128, 127]
func.func @main(%a: tensor<2xi8>, %b: tensor<2xi8>) -> tensor<2xi8> {
  %0 = stablehlo.add %a, %b : tensor<2xi8>
  func.return %0 : tensor<2xi8>
}
// -----
// RUN all
// IN 0 [255, 200]
// IN 1 [1, 100]
// OUT 0 [0, 44]
func.func @main(%a: tensor<2xui8>, %b: tensor<2xui8>) -> tensor<2xui8> {
  %0 = stablehlo.add %a, %b : tensor<2xui8>
  func.return %0 : tensor<2xui8>
}
// -----
// RUN all
// IN 0 [false, false, true, true]
// IN 1 [false, true, false, true]
// OUT 0 [false, true, true, true]
func.func @main(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %0 = stablehlo.add %a, %b : tensor<4xi1>
  func.return %0 : tensor<4xi1>
}
// -----
// RUN all
// IN 0 [0.5, -1.25]
// IN 1 [0.25, 1.25]
// OUT 0 [0.75, 0.0]
func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %b : tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// RUN native f64 f32 wide
// IN 0 [256.0, 1.0]
// IN 1 [1.0, 1.0]
// OUT 0 [256.0, 2.0]
func.func @main(%a: tensor<2xbf16>, %b: tensor<2xbf16>) -> tensor<2xbf16> {
  %0 = stablehlo.add %a, %b : tensor<2xbf16>
  func.return %0 : tensor<2xbf16>
}
// -----
// RUN native
// IN 0 [2048.0, 65504.0]
// IN 1 [1.0, 65504.0]
// OUT 0 [2048.0, 0x7C00]
func.func @main(%a: tensor<2xf16>, %b: tensor<2xf16>) -> tensor<2xf16> {
  %0 = stablehlo.add %a, %b : tensor<2xf16>
  func.return %0 : tensor<2xf16>
}
// -----
// RUN native f32
// IN 0 [16777216.0]
// IN 1 [1.0]
// OUT 0 [16777216.0]
func.func @main(%a: tensor<1xf32>, %b: tensor<1xf32>) -> tensor<1xf32> {
  %0 = stablehlo.add %a, %b : tensor<1xf32>
  func.return %0 : tensor<1xf32>
}
// -----
// RUN exact f64 wide
// IN 0 [16777216.0]
// IN 1 [1.0]
// OUT 0 [16777217.0]
func.func @main(%a: tensor<1xf32>, %b: tensor<1xf32>) -> tensor<1xf32> {
  %0 = stablehlo.add %a, %b : tensor<1xf32>
  func.return %0 : tensor<1xf32>
}
