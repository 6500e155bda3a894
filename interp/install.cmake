# The package that find_package(shardlaw) reads. The component `interp` needs nothing but the library:
#   cmake --build build --target shardlaw_interp && cmake --install build --component interp
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/shardlaw)

install(TARGETS shardlaw_interp shardlaw_options EXPORT shardlaw
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT interp)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/interp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/shardlaw COMPONENT interp
  FILES_MATCHING PATTERN *.h PATTERN *.def)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT interp)

install(EXPORT shardlaw NAMESPACE shardlaw:: FILE shardlawTargets.cmake DESTINATION ${package} COMPONENT interp)
configure_package_config_file(shardlawConfig.cmake.in shardlawConfig.cmake INSTALL_DESTINATION ${package}
  NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may break its users.
write_basic_package_version_file(shardlawConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/shardlawConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/shardlawConfigVersion.cmake
  DESTINATION ${package} COMPONENT interp)
