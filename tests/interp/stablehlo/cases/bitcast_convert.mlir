// RUN native f64 f32
// IN 0 [1.0, -0.0, 0x7F800000]
// OUT 0 [1065353216, -2147483648, 2139095040]
func.func @main(%a: tensor<3xf32>) -> tensor<3xi32> {
  %0 = stablehlo.bitcast_convert %a : (tensor<3xf32>) -> tensor<3xi32>
  func.return %0 : tensor<3xi32>
}
// -----
// RUN native f64 f32
// IN 0 [1065353216, 2147483648]
// OUT 0 [1.0, -0.0]
func.func @main(%a: tensor<2xui32>) -> tensor<2xf32> {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xui32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
// -----
// RUN all
// IN 0 [-1, 1]
// OUT 0 [255, 1]
func.func @main(%a: tensor<2xi8>) -> tensor<2xui8> {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xi8>) -> tensor<2xui8>
  func.return %0 : tensor<2xui8>
}
// -----
// RUN native f64 f32
// IN 0 [1.0, -2.0, 5.9604645e-08]
// OUT 0 [15360, 49152, 1]
func.func @main(%a: tensor<3xf16>) -> tensor<3xui16> {
  %0 = stablehlo.bitcast_convert %a : (tensor<3xf16>) -> tensor<3xui16>
  func.return %0 : tensor<3xui16>
}
// -----
// RUN native f64 f32
// IN 0 [16256, 65408]
// OUT 0 [1.0, 0xFF80]
func.func @main(%a: tensor<2xui16>) -> tensor<2xbf16> {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xui16>) -> tensor<2xbf16>
  func.return %0 : tensor<2xbf16>
}
// -----
// RUN native
// ERROR bits per cell
func.func @main(%a: tensor<2xf32>) -> tensor<2x2xi16> {
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2x2xi16>
  func.return %0 : tensor<2x2xi16>
}
