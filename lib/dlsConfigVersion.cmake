# dlsConfigVersion.cmake - whether this libdls serves a program that asks for a version: it is not older, and has the same binary
# interface: the first number, which the name of libdls.so ends in.
get_filename_component(_dls_file "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(_dls_folder "${_dls_file}" DIRECTORY)
file(STRINGS "${_dls_folder}/@INCLUDEDIR@/dls.h" _dls_line REGEX "^#define DLS_VERSION ")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" PACKAGE_VERSION "${_dls_line}")
string(REGEX MATCH "^[0-9]+" _dls_abi "${PACKAGE_VERSION}")
string(REGEX MATCH "^[0-9]+" _dls_asked "${PACKAGE_FIND_VERSION}")

set(PACKAGE_VERSION_COMPATIBLE FALSE)
if("${PACKAGE_FIND_VERSION}" STREQUAL "")
	set(PACKAGE_VERSION_COMPATIBLE TRUE)
elseif(DEFINED PACKAGE_FIND_VERSION_RANGE)
	if(PACKAGE_VERSION VERSION_GREATER_EQUAL PACKAGE_FIND_VERSION_MIN AND
	   (PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION_MAX OR
	    (PACKAGE_FIND_VERSION_RANGE_MAX STREQUAL INCLUDE AND PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION_MAX)))
		set(PACKAGE_VERSION_COMPATIBLE TRUE)
	endif()
elseif(_dls_asked STREQUAL _dls_abi AND PACKAGE_VERSION VERSION_GREATER_EQUAL PACKAGE_FIND_VERSION)
	set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_VERSION VERSION_EQUAL "${PACKAGE_FIND_VERSION}")
	set(PACKAGE_VERSION_EXACT TRUE)
endif()
