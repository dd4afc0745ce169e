# Scripts of users as installed programs: NAME of a script is oscar-NAME in bin, where a shell script starts
# share/oscar-sim/scripts/oscar-NAME. It finds its packages in share/oscar-sim/python and the shipped configurations in
# share/oscar-sim/configs, as in a checkout; a wheel, which has no symbolic links, holds the same files.
set(OSCAR_PROGRAMS plot train import-step)
set(script_of_plot plot)
set(script_of_train train)
set(script_of_import-step import_step)
set(meaning_of_plot "figures of a sweep of oscar-sim")
set(meaning_of_train "training with compressed gradients on a simulated clock")
set(meaning_of_import-step "a training step from the trace of a profiler")

foreach(short ${OSCAR_PROGRAMS})
  set(name oscar-${short})
  set(script ${PROJECT_SOURCE_DIR}/scripts/${script_of_${short}})
  configure_file(program.sh.in programs/${name} @ONLY FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
                 GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/programs/${name} DESTINATION bin COMPONENT program)
  install(PROGRAMS ${script} DESTINATION share/oscar-sim/scripts RENAME ${name} COMPONENT program)
  # Under the name that its help is to show.
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/scripts)
  file(CREATE_LINK ${script} ${CMAKE_CURRENT_BINARY_DIR}/scripts/${name} SYMBOLIC)
endforeach()
foreach(package oscar_plot oscar_steps oscar_summary oscar_training oscar_workloads)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/${package} DESTINATION share/oscar-sim/python COMPONENT program
          FILES_MATCHING PATTERN "*.py" PATTERN "*.yaml" PATTERN "__pycache__" EXCLUDE)
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/results/training/SUMMARY.md ${PROJECT_SOURCE_DIR}/results/training/tables.yaml
        DESTINATION share/oscar-sim/results/training COMPONENT program)
