# What Debian wants of every package, added to the installed files before cpack packs them: copyright
# with the licences of the header-only libraries that are compiled in, changelog, compressed manuals.
cmake_minimum_required(VERSION 3.25)
find_program(gzip gzip REQUIRED)
set(source "${CMAKE_CURRENT_LIST_DIR}/../..")

# In the name of whoever is asked to, else the time of the last change.
if(DEFINED ENV{SOURCE_DATE_EPOCH})
    set(seconds $ENV{SOURCE_DATE_EPOCH})
else()
    file(TIMESTAMP "${source}/CHANGELOG.md" seconds "%s" UTC)
    set(ENV{SOURCE_DATE_EPOCH} ${seconds})
endif()
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)

set(components program development python)
set(packages croupier libcroupier-dev python3-croupier)

function(compress file)
    execute_process(COMMAND "${gzip}" -9nf "${file}" COMMAND_ERROR_IS_FATAL ANY)
    file(CHMOD "${file}.gz" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endfunction()

function(finish folder package)
    set(documents "${folder}/usr/share/doc/${package}")
    set(version "${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
    file(CONFIGURE OUTPUT "${documents}/changelog.Debian" @ONLY CONTENT
"@package@ (@version@) unstable; urgency=medium

  * Built by cpack; what has changed stands in CHANGELOG.md.

 -- @CPACK_PACKAGE_CONTACT@  @date@
")
    compress("${documents}/changelog.Debian")

    file(REMOVE "${documents}/LICENSE") # it is the first part of the copyright
    file(READ "${source}/LICENSE" text)
    foreach(library IN ITEMS nlohmann-json3-dev libcli11-dev libfccp-dev pybind11-dev)
        if(EXISTS "/usr/share/doc/${library}/copyright")
            file(READ "/usr/share/doc/${library}/copyright" licence)
            string(APPEND text "\n\n${library}, headers of which are compiled in:\n\n${licence}")
        endif()
    endforeach()
    file(WRITE "${documents}/copyright" "${text}")
    file(CHMOD "${documents}/copyright" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)

    file(GLOB manuals "${folder}/usr/share/man/man*/*.[1-9]")
    foreach(manual IN LISTS manuals)
        compress("${manual}")
    endforeach()
endfunction()

foreach(component package IN ZIP_LISTS components packages)
    if(EXISTS "${CPACK_TEMPORARY_DIRECTORY}/${component}")
        finish("${CPACK_TEMPORARY_DIRECTORY}/${component}" ${package})
    endif()
endforeach()
