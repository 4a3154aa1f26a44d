import type { CallbackRecord } from '../../../packages/library/records/callback-record.ts'
import type { ListenerState } from '../../../packages/library/records/listener-state.ts'
import type { SiteSummary } from '../../../packages/library/records/site.ts'
import type { CallbackRow } from '../../../packages/library/views/callbacks.ts'
import type { SnapshotRow } from '../../../packages/library/views/fonts.ts'
import type { MaterialRow } from '../../../packages/library/views/materials.ts'
import { defaultSettings } from '../../../packages/library/views/settings.ts'
import { fail, ok } from '../../../packages/wire/result.ts'
import type { Bridge, Calls, Events, Handlers } from '../../../src/ipc/calls.ts'
import { anInspection, aSite, aVersion } from './sample-data.ts'

/** The contents of the fake library. Tests change them and then push `changed`, as main does. */
export interface FakeLibrary {
  sites: readonly SiteSummary[]
  materials: readonly MaterialRow[]
  callbacks: readonly CallbackRecord[]
  snapshots: readonly SnapshotRow[]
  listener: ListenerState
  folder: string
}

type Answering = { -readonly [Name in keyof Handlers]: Handlers[Name] }

/** Calls that no test makes are not there, and reject. */
type Answers = Partial<Answering> & Pick<Answering, 'queryMaterials'>

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
        return fail({ code: 'invalid_site', field: 'baseUrl' })
      }
      const { secret, publish: _, bucketKeys: __, ...fields } = form
      const site = aSite({ ...fields, id: aSite().id, secret: secret === null ? 'missing' : 'stored' })
      const saved: SiteSummary = { ...site, id: form.id }
      library.sites = [...library.sites.filter((other) => other.id !== saved.id), saved]
      return ok(saved)
    },
    removeSite: ({ site }) => {
      library.sites = library.sites.filter((other) => other.id !== site)
      return ok(null)
    },
    queryMaterials: ({ site, text, offset, limit }) => {
      const fitting = library.materials.filter(
        (material) => material.site === site && material.title.toLowerCase().includes(text.toLowerCase()),
      )
      return { total: fitting.length, rows: fitting.slice(offset, offset + limit) }
    },
    materialIds: ({ site }) =>
      library.materials.filter((material) => material.site === site).map(({ materialId }) => materialId),
    materialFacets: () => ({ statuses: [], tags: [], editors: [], archived: 0 }),
    listViews: () => [],
    findMaterial: ({ materialId }) => library.materials.find((material) => material.materialId === materialId) ?? null,
    queryVersions: ({ materialId }) => {
      const total = library.materials.find((material) => material.materialId === materialId)?.versions ?? 0
      const rows = Array.from({ length: total }, (_, at) => aVersion(nowMs, materialId, total - at, total))
      return { total, rows }
    },
    inspectVersion: ({ materialId, versionId }) => {
      const total = library.materials.find((material) => material.materialId === materialId)?.versions ?? 0
      return ok(anInspection(aVersion(nowMs, materialId, Number(versionId.slice(1)), total)))
    },
    querySnapshots: ({ site }) => library.snapshots.filter((snapshot) => snapshot.site === site),
    queryCallbacks: ({ filters, upTo, offset, limit }) => {
      const all = library.callbacks.map((record, at): CallbackRow => {
        const row = { arrival: library.callbacks.length - at, materialTitle: null, durationMs: null }
        return { ...record, ...row, code: record.code as CallbackRow['code'] }
      })
      const { outcomes } = filters
      const fits = all.filter(
        (row) => row.site === filters.site && (outcomes.length === 0 || outcomes.includes(row.outcome)),
      )
      const last = upTo ?? all.length
      const rows = fits.filter(({ arrival }) => arrival <= last)
      return {
        total: rows.length,
        rows: rows.slice(offset, offset + limit),
        upTo: last,
        newer: fits.length - rows.length,
      }
    },
    openEditor: () => ok({ url: 'https://editor.example.com/e/1', reused: true, browser: 'shown' }),
    listenerState: () => library.listener,
    startListener: () => library.listener,
    libraryFolder: () => library.folder,
    readSettings: () => defaultSettings,
    changeSettings: ({ theme = defaultSettings.theme }) => ok({ ...defaultSettings, theme }),
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
