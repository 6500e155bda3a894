// Each replica counts up to its own number.
// RUN native exact f64 f32 wide bounded
// IN 0@0 0
// IN 0@1 3
// IN 0@2 5
// OUT 0@0 1
// OUT 0@1 8
// OUT 0@2 32
// OUT 1@0 0
// OUT 1@1 3
// OUT 1@2 5
func.func @main(%n: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  %0:2 = stablehlo.while(%i = %zero, %p = %x) : tensor<i32>, tensor<f32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %q = stablehlo.add %p, %p : tensor<f32>
      stablehlo.return %j, %q : tensor<i32>, tensor<f32>
    }
  return %0#1, %0#0 : tensor<f32>, tensor<i32>
}
// -----
// Replicas take their own branches.
// RUN native exact f64 f32 wide bounded
// IN 0@0 true
// IN 0@1 false
// IN 1 3
// OUT 0@0 6
// OUT 0@1 -3
func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    %a = stablehlo.add %x, %x : tensor<f32>
    stablehlo.return %a : tensor<f32>
  }, {
    %a = stablehlo.negate %x : tensor<f32>
    stablehlo.return %a : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// An index beyond the branches takes the last one.
// RUN native exact f64 f32 wide bounded
// IN 0@0 0
// IN 0@1 1
// IN 0@2 2
// IN 0@3 -1
// OUT 0@0 10
// OUT 0@1 20
// OUT 0@2 20
// OUT 0@3 20
func.func @main(%i: tensor<i32>) -> tensor<f32> {
  %a = stablehlo.constant dense<10.0> : tensor<f32>
  %b = stablehlo.constant dense<20.0> : tensor<f32>
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<f32>
  }, {
    stablehlo.return %b : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// A collective in a branch that all members of its group take.
// RUN native exact f64 f32 wide bounded
// IN 0@0 true
// IN 0@1 false
// IN 0@2 true
// IN 0@3 false
// IN 1@0 1
// IN 1@1 2
// IN 1@2 4
// IN 1@3 8
// OUT 0@0 5
// OUT 0@1 2
// OUT 0@2 5
// OUT 0@3 8
func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %r : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// A collective that a member of the group does not reach.
// RUN native exact f64 f32 wide bounded
// IN 0@0 true
// IN 0@1 false
// IN 1 1
// ERROR stablehlo.all_reduce: replica 1 does not reach this collective, for which the others wait
func.func @main(%p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.if"(%p) ({
    %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<f32>) -> tensor<f32>
    stablehlo.return %r : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// A collective in a function that is called twice.
// RUN native exact f64 f32 wide bounded
// IN 0@0 1
// IN 0@1 2
// OUT 0 6
module {
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @sum(%x) : (tensor<f32>) -> tensor<f32>
  %1 = func.call @sum(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
func.func private @sum(%x: tensor<f32>) -> tensor<f32> {
  %r = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
}
// -----
// A loop in a loop; the outer's values are read inside.
// RUN native exact f64 f32 wide bounded
// IN 0 3
// OUT 0 9
func.func @main(%n: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %s = %zero) : tensor<i32>, tensor<i32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %k:2 = stablehlo.while(%j = %zero, %t = %s) : tensor<i32>, tensor<i32>
        cond {
          %c = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do {
          %u = stablehlo.add %t, %one : tensor<i32>
          %l = stablehlo.add %j, %one : tensor<i32>
          stablehlo.return %l, %u : tensor<i32>, tensor<i32>
        }
      %m = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %m, %k#1 : tensor<i32>, tensor<i32>
    }
  return %0#1 : tensor<i32>
}
// -----
// More than memory holds.
// RUN native exact f64 f32 bounded wide
// ERROR stablehlo.constant: the result needs about
func.func @main() -> tensor<1099511627776xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<1099511627776xf32>
  return %0 : tensor<1099511627776xf32>
}
// -----
// More than there are addresses.
// RUN native exact f64 f32 bounded wide
// ERROR stablehlo.iota: the result needs about
func.func @main() -> tensor<i8> {
  %0 = stablehlo.iota dim = 0 : tensor<9223372036854775807xi8>
  %1 = stablehlo.slice %0 [0:1:1] : (tensor<9223372036854775807xi8>) -> tensor<1xi8>
  %2 = stablehlo.reshape %1 : (tensor<1xi8>) -> tensor<i8>
  return %2 : tensor<i8>
}
