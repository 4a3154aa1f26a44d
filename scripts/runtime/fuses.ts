/** The fuses of Electron: what a production build can do, however it is started. */

import { FuseState, FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses'

type FuseName = keyof typeof FuseV1Options

/** All fuses of Electron, with their values in production builds. */
export const productionFuses: Readonly<Record<FuseName, boolean>> = {
  // Otherwise the signed executable would run any script under Galley's name, with Galley's access to the keychain.
  RunAsNode: false,
  // Encrypts cookies on disk with a key of the system keychain. Galley's sessions have none, and none may ever be stored in
  // plain text.
  EnableCookieEncryption: true,
  // With NODE_OPTIONS and --inspect, another program could run code in the main process, which reads secrets.
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  // macOS and Windows refuse a modified app.asar. Linux does not check it.
  EnableEmbeddedAsarIntegrityValidation: true,
  // Otherwise Electron would load a folder `app` next to app.asar instead.
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  // Galley's pages have their own schemes, and file: is refused.
  GrantFileProtocolExtraPrivileges: false,
  WasmTrapHandlers: true,
}

/** The exceptions for end-to-end tests: Playwright attaches through the inspector. */
export const testTwinFuses = { ...productionFuses, EnableNodeCliInspectArguments: true }

/** For the development runtime, which loads the app from a folder and does not use the keychain to encrypt cookies. */
export const developmentFuses = { ...testTwinFuses, EnableCookieEncryption: false, OnlyLoadAppFromAsar: false }

/** Sets these fuses in an executable. Throws if the executable has a fuse that is not in the table. */
export async function setFuses(
  executable: string,
  wanted: Readonly<Partial<Record<FuseName, boolean>>>,
): Promise<void> {
  const present = Object.keys(await readFuses(executable)) as FuseName[]
  const chosen = present.filter((name) => wanted[name] !== undefined)
  await flipFuses(executable, {
    version: FuseVersion.V1,
    resetAdHocDarwinSignature: process.platform === 'darwin' && process.arch === 'arm64',
    ...Object.fromEntries(chosen.map((name) => [FuseV1Options[name], wanted[name]])),
  })
}

/** Reads the fuses of an executable file. Older versions of Electron have fewer. */
export async function readFuses(executable: string): Promise<Readonly<Partial<Record<FuseName, boolean>>>> {
  const { version: _, ...wire } = await getCurrentFuseWire(executable)
  return Object.fromEntries(
    Object.entries(wire).map(([option, state]) => {
      const name: string | undefined = FuseV1Options[Number(option)]
      if (name === undefined || !Object.hasOwn(productionFuses, name)) {
        throw new Error(`Electron has a fuse that scripts/runtime/fuses.ts does not name: ${name ?? option}`)
      }
      return [name, (state as FuseState) === FuseState.ENABLE]
    }),
  )
}

/** The fuses of an executable file that differ from those of production builds. */
export async function wrongFuses(executable: string): Promise<readonly FuseName[]> {
  const fuses = Object.entries(await readFuses(executable)) as [FuseName, boolean][]
  return fuses.flatMap(([name, isOn]) => (isOn === productionFuses[name] ? [] : [name]))
}
