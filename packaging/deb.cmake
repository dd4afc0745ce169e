# Debian packages, which `cpack` in the build folder writes: oscar-sim, oscar-sim-data, python3-oscar-sim and
# liboscar-sim-dev. dpkg-shlibdeps finds the shared libraries that they need.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME oscar-sim)
set(OSCAR_MAINTAINER "The authors of oscar-sim <oscar-sim@localhost>" CACHE STRING "name and address in Debian packages")
set(CPACK_PACKAGE_CONTACT "${OSCAR_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS   # those of the builder's umask would be packed otherwise
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")   # that of the project would stand above those of the packages
set(about "\
oscar-sim simulates AllReduce with compression in the NIC, to the picosecond:\n\
gradients of real trainings are quantised, coded, sent over a modelled\n\
network, decoded and added.")
find_package(Python COMPONENTS Interpreter QUIET)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME oscar-sim)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "oscar-sim-data (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "python3")   # oscar-plot, oscar-train, oscar-import-step
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "python3-oscar-sim, liboscar-sim-dev, graphviz, python3-matplotlib, python3-pandas, python3-seaborn, \
python3-torch, python3-tqdm, python3-yaml")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "simulator of compressed AllReduce, exact in picoseconds\n${about}")

set(CPACK_DEBIAN_DATA_PACKAGE_NAME oscar-sim-data)
set(CPACK_DEBIAN_DATA_PACKAGE_SECTION science)
set(CPACK_DEBIAN_DATA_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DATA_DESCRIPTION "configurations and gradient traces for oscar-sim\n${about}\n\nThis package has the experiments, sweeps and captured gradients.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-oscar-sim)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
math(EXPR next "${Python_VERSION_MINOR} + 1")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next}), python3-numpy, oscar-sim (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "quantisers, codecs and simulations of oscar-sim for Python\n${about}\n\nThis package has the Python modules oscar_sim and oscar_capture.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME liboscar-sim-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libsystemc-dev, libboost-dev (>= 1.74), libxxhash-dev, libzstd-dev, liblz4-dev, pkg-config")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "models of oscar-sim for simulators of one's own\n${about}\n\nThis package has the models' static libraries and headers, for find_package(oscar_sim).")

# Each package's copyright and changelog: in the packages, but not in what `cmake --install` copies.
configure_file(changelog.in changelog @ONLY)
execute_process(COMMAND gzip -9nkf ${CMAKE_CURRENT_BINARY_DIR}/changelog COMMAND_ERROR_IS_FATAL ANY)
set(CPACK_COMPONENTS_ALL program data development)
if(TARGET oscar_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} key)
  install(FILES copyright ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz
          DESTINATION share/doc/${CPACK_DEBIAN_${key}_PACKAGE_NAME} COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
include(CPack)
