# For the installation's script: headers with what they include, files of a tree by their names.
cmake_minimum_required(VERSION 3.25) # whatever the script has

# Installs headers of the tree `root` below `to` and all that they include of the project, and nothing
# else: what the API needs, no helper of a test.
function(croupier_install_headers root to)
    set(left ${ARGN})
    set(seen "")
    while(left)
        list(POP_FRONT left header)
        if(header IN_LIST seen)
            continue()
        endif()
        list(APPEND seen ${header})
        file(STRINGS ${root}/${header} lines REGEX "^#include \"[^\"]+\"")
        foreach(line IN LISTS lines)
            string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
            list(APPEND left ${included})
        endforeach()
        cmake_path(GET header PARENT_PATH folder)
        file(INSTALL ${root}/${header} DESTINATION ${to}/${folder})
    endwhile()
endfunction()

# Installs the files of root/folder whose names match, in the same folders below `to`. Unlike
# install(DIRECTORY) it leaves no empty folders.
function(croupier_install_tree root to folder match)
    file(GLOB_RECURSE files RELATIVE ${root} ${root}/${folder}/*)
    list(FILTER files INCLUDE REGEX "${match}")
    list(FILTER files EXCLUDE REGEX "/(cases|testing)/")
    foreach(file IN LISTS files)
        cmake_path(GET file PARENT_PATH place)
        file(INSTALL ${root}/${file} DESTINATION ${to}/${place})
    endforeach()
endfunction()
