# Installs the library, moves it, and builds and runs a small project that finds it.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${work})
run(${CMAKE_COMMAND} --install ${build} --config ${config} --component interp --prefix ${work}/installed)

# A package works wherever it is put, and remembers nothing of where it was made.
file(RENAME ${work}/installed ${work}/moved)
file(GLOB_RECURSE scripts ${work}/moved/*.cmake)
foreach(script IN LISTS scripts)
  file(READ ${script} text)
  foreach(path IN ITEMS ${origin} ${build} ${work})
    string(FIND "${text}" ${path} found)
    if(NOT found EQUAL -1)
      message(FATAL_ERROR "${script} mentions ${path}")
    endif()
  endforeach()
endforeach()

run(${CMAKE_COMMAND} -S ${source} -B ${work}/build -G ${generator}
  -D CMAKE_PREFIX_PATH=${work}/moved
  -D CMAKE_BUILD_TYPE=${config}
  -D CMAKE_CXX_COMPILER=${compiler}
  -D CMAKE_CXX_COMPILER_LAUNCHER=${launcher}
  -D CMAKE_CXX_FLAGS=${flags})
run(${CMAKE_COMMAND} --build ${work}/build --config ${config} --target check)
