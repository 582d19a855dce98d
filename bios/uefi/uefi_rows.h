/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of UEFI that a program finds here: exactly those that ibsboot and the virtual PMU call. GIVEN rows
 * have the function behind the slot. REFUSED rows print their name on the console and return EFI_UNSUPPORTED.
 *
 * tests/host/image/bios_calls.sh compares these rows with the calls in efi/ and vpmu/, in both directions.
 */
#ifndef BIOS_UEFI_ROWS_H
#define BIOS_UEFI_ROWS_H

#define UEFI_BOOT_ROWS(GIVEN, REFUSED)                                                                                 \
    REFUSED(RaiseTPL)                                                                                                  \
    REFUSED(RestoreTPL)                                                                                                \
    GIVEN(AllocatePages, uefi_allocate_pages)                                                                          \
    GIVEN(FreePages, uefi_free_pages)                                                                                  \
    GIVEN(GetMemoryMap, uefi_get_memory_map)                                                                           \
    GIVEN(AllocatePool, uefi_allocate_pool)                                                                            \
    GIVEN(FreePool, uefi_free_pool)                                                                                    \
    GIVEN(CreateEvent, uefi_create_event)                                                                              \
    REFUSED(SetTimer)                                                                                                  \
    REFUSED(WaitForEvent)                                                                                              \
    GIVEN(SignalEvent, uefi_signal_event)                                                                              \
    REFUSED(CloseEvent)                                                                                                \
    GIVEN(CheckEvent, uefi_check_event)                                                                                \
    REFUSED(InstallProtocolInterface)                                                                                  \
    REFUSED(ReinstallProtocolInterface)                                                                                \
    GIVEN(UninstallProtocolInterface, uefi_uninstall_protocol)                                                         \
    GIVEN(HandleProtocol, uefi_handle_protocol)                                                                        \
    REFUSED(PCHandleProtocol)                                                                                          \
    REFUSED(RegisterProtocolNotify)                                                                                    \
    GIVEN(LocateHandle, uefi_locate_handle)                                                                            \
    GIVEN(LocateDevicePath, uefi_locate_device_path)                                                                   \
    REFUSED(InstallConfigurationTable)                                                                                 \
    GIVEN(LoadImage, uefi_load_image)                                                                                  \
    GIVEN(StartImage, uefi_start_image)                                                                                \
    REFUSED(Exit)                                                                                                      \
    GIVEN(UnloadImage, uefi_unload_image)                                                                              \
    REFUSED(ExitBootServices)                                                                                          \
    GIVEN(GetNextMonotonicCount, uefi_get_monotonic_count)                                                             \
    GIVEN(Stall, uefi_stall)                                                                                           \
    GIVEN(SetWatchdogTimer, uefi_set_watchdog_timer)                                                                   \
    REFUSED(ConnectController)                                                                                         \
    REFUSED(DisconnectController)                                                                                      \
    REFUSED(OpenProtocol)                                                                                              \
    REFUSED(CloseProtocol)                                                                                             \
    REFUSED(OpenProtocolInformation)                                                                                   \
    REFUSED(ProtocolsPerHandle)                                                                                        \
    REFUSED(LocateHandleBuffer)                                                                                        \
    GIVEN(LocateProtocol, uefi_locate_protocol)                                                                        \
    REFUSED(InstallMultipleProtocolInterfaces)                                                                         \
    REFUSED(UninstallMultipleProtocolInterfaces)                                                                       \
    REFUSED(CalculateCrc32)                                                                                            \
    GIVEN(CopyMem, uefi_copy_mem)                                                                                      \
    GIVEN(SetMem, uefi_set_mem)                                                                                        \
    REFUSED(CreateEventEx)

#define UEFI_RUNTIME_ROWS(GIVEN, REFUSED)                                                                              \
    GIVEN(GetTime, uefi_get_time)                                                                                      \
    REFUSED(SetTime)                                                                                                   \
    REFUSED(GetWakeupTime)                                                                                             \
    REFUSED(SetWakeupTime)                                                                                             \
    REFUSED(SetVirtualAddressMap)                                                                                      \
    REFUSED(ConvertPointer)                                                                                            \
    REFUSED(GetVariable)                                                                                               \
    REFUSED(GetNextVariableName)                                                                                       \
    REFUSED(SetVariable)                                                                                               \
    REFUSED(GetNextHighMonotonicCount)                                                                                 \
    GIVEN(ResetSystem, uefi_reset_system)                                                                              \
    REFUSED(UpdateCapsule)                                                                                             \
    REFUSED(QueryCapsuleCapabilities)                                                                                  \
    REFUSED(QueryVariableInfo)

#define UEFI_OUTPUT_ROWS(GIVEN, REFUSED)                                                                               \
    REFUSED(Reset)                                                                                                     \
    GIVEN(OutputString, uefi_output_string)                                                                            \
    REFUSED(TestString)                                                                                                \
    GIVEN(QueryMode, uefi_query_mode)                                                                                  \
    REFUSED(SetMode)                                                                                                   \
    GIVEN(SetAttribute, uefi_set_attribute)                                                                            \
    GIVEN(ClearScreen, uefi_clear_screen)                                                                              \
    GIVEN(SetCursorPosition, uefi_set_cursor_position)                                                                 \
    REFUSED(EnableCursor)

#define UEFI_INPUT_ROWS(GIVEN, REFUSED)                                                                                \
    REFUSED(Reset)                                                                                                     \
    GIVEN(ReadKeyStroke, uefi_read_key_stroke)

#define UEFI_FILE_ROWS(GIVEN, REFUSED)                                                                                 \
    GIVEN(Open, uefi_file_open)                                                                                        \
    GIVEN(Close, uefi_file_close)                                                                                      \
    GIVEN(Delete, uefi_file_delete)                                                                                    \
    GIVEN(Read, uefi_file_read)                                                                                        \
    GIVEN(Write, uefi_file_write)                                                                                      \
    GIVEN(GetPosition, uefi_file_get_position)                                                                         \
    GIVEN(SetPosition, uefi_file_set_position)                                                                         \
    GIVEN(GetInfo, uefi_file_get_info)                                                                                 \
    GIVEN(SetInfo, uefi_file_set_info)                                                                                 \
    GIVEN(Flush, uefi_file_flush)                                                                                      \
    REFUSED(OpenEx)                                                                                                    \
    REFUSED(ReadEx)                                                                                                    \
    REFUSED(WriteEx)                                                                                                   \
    REFUSED(FlushEx)

/* EFI_MP_SERVICES_PROTOCOL (UEFI Platform Initialization specification 1.7, vol. 2, section 13.4). */
#define UEFI_MP_ROWS(GIVEN, REFUSED)                                                                                   \
    GIVEN(get_number, uefi_mp_get_number)                                                                              \
    GIVEN(get_info, uefi_mp_get_info)                                                                                  \
    REFUSED(startup_all)                                                                                               \
    GIVEN(startup, uefi_mp_startup)                                                                                    \
    REFUSED(switch_boot)                                                                                               \
    REFUSED(enable)                                                                                                    \
    GIVEN(who_am_i, uefi_mp_who_am_i)

/* The network that booted the machine. */
#define UEFI_PXE_ROWS(GIVEN, REFUSED)                                                                                  \
    REFUSED(Start)                                                                                                     \
    REFUSED(Stop)                                                                                                      \
    REFUSED(Dhcp)                                                                                                      \
    REFUSED(Discover)                                                                                                  \
    GIVEN(Mtftp, uefi_pxe_mtftp)                                                                                       \
    REFUSED(UdpWrite)                                                                                                  \
    REFUSED(UdpRead)                                                                                                   \
    REFUSED(SetIpFilter)                                                                                               \
    REFUSED(Arp)                                                                                                       \
    REFUSED(SetParameters)                                                                                             \
    REFUSED(SetStationIp)                                                                                              \
    REFUSED(SetPackets)

/* A driver of TFTP (UEFI specification 2.10, sections 11.6 and 30.3). */
#define UEFI_BINDING_ROWS(GIVEN, REFUSED)                                                                              \
    GIVEN(CreateChild, uefi_mtftp_create)                                                                              \
    GIVEN(DestroyChild, uefi_mtftp_destroy)

#define UEFI_MTFTP_ROWS(GIVEN, REFUSED)                                                                                \
    REFUSED(get_mode_data)                                                                                             \
    GIVEN(configure, uefi_mtftp_configure)                                                                             \
    REFUSED(get_info)                                                                                                  \
    REFUSED(parse_options)                                                                                             \
    REFUSED(read_file)                                                                                                 \
    GIVEN(write_file, uefi_mtftp_write)

/* The volume has one function, OpenVolume. */
#define UEFI_VOLUME_ROWS(GIVEN, REFUSED) GIVEN(OpenVolume, uefi_open_volume)

#endif
