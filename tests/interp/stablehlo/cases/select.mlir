// RUN native exact f64 f32 wide bounded
// IN 0 [[false, true], [true, false]]
// IN 1 [[1, 2], [3, 4]]
// IN 2 [[5, 6], [7, 8]]
// OUT 0 [[5, 2], [3, 8]]
func.func @main(%p: tensor<2x2xi1>, %a: tensor<2x2xi32>, %b: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %0 = stablehlo.select %p, %a, %b : tensor<2x2xi1>, tensor<2x2xi32>
  func.return %0 : tensor<2x2xi32>
}
// -----
// RUN native exact f64 f32 wide bounded
// IN 0 [[false, true], [true, false]]
// IN 1 [[1.0, 2.0], [3.0, 4.0]]
// IN 2 [[5.0, 6.0], [7.0, 8.0]]
// OUT 0 [[5.0, 2.0], [3.0, 8.0]]
func.func @main(%p: tensor<2x2xi1>, %a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.select %p, %a, %b : tensor<2x2xi1>, tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// -----
// RUN all
// IN 0 true
// IN 1 [1, 2]
// IN 2 [3, 4]
// OUT 0 [1, 2]
func.func @main(%p: tensor<i1>, %a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<2xi32>
  func.return %0 : tensor<2xi32>
}
// -----
// RUN native
// ERROR predicate
func.func @main(%p: tensor<3xi1>, %a: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.select %p, %a, %a : tensor<3xi1>, tensor<2xi32>
  func.return %0 : tensor<2xi32>
}
