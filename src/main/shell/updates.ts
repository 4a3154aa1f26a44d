import type { AppSettingsStore } from '@galley/library'
import { updateNotesFile } from '@galley/library'
import type { Network } from '@galley/platform'
import { createUpdates, readSource } from '@galley/update'
import { app } from 'electron'

import type { HandlersOf } from '../../ipc/call.ts'
import type { updateCalls } from '../../ipc/updates.ts'
import type { Push } from '../electron/serve.ts'
import { ownInstaller } from './install-update.ts'

interface UpdatePorts {
  readonly version: string
  readonly settings: AppSettingsStore
  readonly network: Network
  readonly now: () => Date
}

/** Newer versions of this app: how they are looked for, told of and installed, and the calls of the window about them. */
export function appUpdates({ settings, ...ports }: UpdatePorts, push: Push, log: (line: string) => void) {
  const updates = createUpdates({
    ...ports,
    source: readSource(process.resourcesPath),
    isDevelopment: !app.isPackaged,
    environment: process.env,
    isOn: () => settings.read().checksForUpdates,
    notesFile: updateNotesFile(process.env),
    installer: ownInstaller(),
    log,
    onState: (state) => push('updates', state),
  })
  const handlers: HandlersOf<typeof updateCalls> = {
    updateState: updates.state,
    checkForUpdates: () => updates.check(true),
    takeUpdate: updates.take,
    skipUpdate: updates.skip,
  }
  return {
    handlers,
    install: updates.install,
    /** Begins to look for newer versions; returns what stops it. */
    start(): () => void {
      const stops = [updates.start(), settings.onChange(updates.told)]
      return () => {
        for (const stop of stops) stop()
      }
    },
  }
}
