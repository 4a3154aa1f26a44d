import type { CallbackRecord } from '../../../src/contract/callback-record.ts'
import type { Bridge, Calls, Events } from '../../../src/contract/ipc.ts'
import type { ListenerState } from '../../../src/contract/listener-state.ts'
import type { MaterialSummary } from '../../../src/contract/material.ts'
import { fail, ok } from '../../../src/contract/result.ts'
import type { SiteSummary } from '../../../src/contract/site.ts'
import type { SnapshotSummary } from '../../../src/contract/snapshot.ts'
import { aDetail, aSite, aVersion } from './sample-data.ts'

/** What the fake library holds; tests write to it and then push `changed`, as main does. */
export interface FakeLibrary {
  sites: readonly SiteSummary[]
  materials: readonly MaterialSummary[]
  callbacks: readonly CallbackRecord[]
  snapshots: readonly SnapshotSummary[]
  listener: ListenerState
  folder: string
}

type Answers = {
  [Name in keyof Calls]: (input: Calls[Name]['input']) => Calls[Name]['output'] | Promise<Calls[Name]['output']>
}

/** A bridge in memory: answers from `library`, counts the calls, and lets a test push and override. */
export function createFakeBridge(nowMs: number, start: Partial<FakeLibrary> = {}) {
  const library: FakeLibrary = {
    sites: [],
    materials: [],
    callbacks: [],
    snapshots: [],
    listener: { kind: 'listening', url: 'http://127.0.0.1:8787' },
    folder: '/home/ida/Galley',
    ...start,
  }
  const called: (keyof Calls)[] = []
  const listeners = new Map<keyof Events, Set<(event: never) => void>>()
  const answers: Answers = {
    listSites: () => library.sites,
    saveSite: (form) => {
      if (!URL.canParse(form.baseUrl)) {
        return fail({ code: 'invalid', field: 'baseUrl', message: 'Enter an address that starts with https://.' })
      }
      const { secret, ...fields } = form
      const site = aSite({ ...fields, id: aSite().id, secret: secret === null ? 'missing' : 'stored' })
      const saved: SiteSummary = { ...site, id: form.id as SiteSummary['id'] }
      library.sites = [...library.sites.filter((other) => other.id !== saved.id), saved]
      return ok(saved)
    },
    removeSite: ({ site }) => {
      library.sites = library.sites.filter((other) => other.id !== site)
      return ok(null)
    },
    listMaterials: ({ site, text }) =>
      library.materials.filter(
        (material) => material.site === site && material.title.toLowerCase().includes(text.toLowerCase()),
      ),
    listVersions: ({ materialId }) => {
      const versions = library.materials.find((material) => material.materialId === materialId)?.versions ?? 0
      return Array.from({ length: versions }, (_, at) => aVersion(nowMs, materialId, versions - at, versions))
    },
    showVersion: ({ materialId, versionId }) => {
      const versions = library.materials.find((material) => material.materialId === materialId)?.versions ?? 0
      return ok(aDetail(aVersion(nowMs, materialId, Number(versionId.slice(1)), versions)))
    },
    listSnapshots: ({ site }) => library.snapshots.filter((snapshot) => snapshot.site === site),
    listCallbacks: ({ site, limit }) => library.callbacks.filter((record) => record.site === site).slice(0, limit),
    openEditor: () => ok({ url: 'https://editor.example.com/e/1', reused: true, shownInBrowser: true }),
    listenerState: () => library.listener,
    startListener: () => library.listener,
    libraryFolder: () => library.folder,
  }

  const bridge: Bridge = {
    call: async (name, input) => {
      called.push(name)
      return await (answers[name] as (input: unknown) => Promise<never>)(input)
    },
    on: (name, listener) => {
      const all = listeners.get(name) ?? new Set()
      listeners.set(name, all.add(listener))
      return () => all.delete(listener)
    },
  }
  const push = <Name extends keyof Events>(name: Name, event: Events[Name]): void => {
    for (const listener of listeners.get(name) ?? []) listener(event as never)
  }
  return { bridge, library, answers, called, push }
}
