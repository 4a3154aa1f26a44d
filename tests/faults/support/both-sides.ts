import { expect } from 'vitest'

import type { Service } from '../../service/support/service.ts'
import type { Galley } from '../../support/open-galley.ts'
import type { Save } from './pages.ts'
import type { Exchange } from './wire.ts'

/** One save with the service's report to its editor. */
export interface DialogText {
  readonly save: Save
  readonly report: Record<string, unknown>
}

interface State {
  readonly assets: Readonly<Record<string, { readonly clientUrl: string }>>
}

const stateOf = (answer: string): string => /"vms_json":(.*)\}\}$/s.exec(answer)?.[1] ?? ''
const assetsOf = (state: string): State['assets'] => (JSON.parse(state) as State).assets
const versionOf = ({ report }: DialogText): string => String(report['version_id'])

/** The versions that the site took, each with its answer. */
export function takenIn(exchanges: readonly Exchange[]): ReadonlyMap<string, Exchange> {
  return new Map(exchanges.filter(({ rc }) => rc === 1).map((exchange) => [exchange.versionId, exchange]))
}

/** The library contains exactly what was acknowledged, to the byte. */
export async function expectLibrary(
  { index, vault }: Galley,
  told: readonly DialogText[],
  exchanges: readonly Exchange[],
): Promise<void> {
  const taken = takenIn(exchanges)
  const textOf = async (blob: Parameters<typeof index.blobs.find>[0]): Promise<string> => {
    const place = index.blobs.find(blob)
    return place ? String(await vault.readBytes(place)) : 'missing'
  }

  for (const { save, report } of told) {
    const versionId = versionOf({ save, report })
    const exchange = taken.get(versionId)
    const parts = index.versions.parts('acme', save.materialId, versionId)
    expect(parts !== null, `${versionId} is in the library`).toBe(exchange !== undefined)
    if (parts === null || exchange === undefined) continue

    const state = await textOf(parts.state)
    expect(state).toBe(stateOf(exchange.answer))
    const assets = assetsOf(state)
    const urlOf = (name: string): string => assets[name]?.clientUrl ?? 'missing'
    expect(state.replaceAll(/"clientUrl":"[^"]*"/g, '')).toBe(save.state.replaceAll(/"clientUrl":"[^"]*"/g, ''))
    expect(await textOf(parts.html)).toBe(
      save.html.replaceAll(/dummy-([\w.-]+)/g, (_dummy, name: string) => urlOf(name)),
    )
    expect(Object.keys(assets).toSorted()).toEqual([...save.shown.keys()].toSorted())
    for (const [name, text] of save.shown) {
      const served = await fetch(urlOf(name))
      expect([served.status, await served.text()], `${name} of ${versionId}`).toEqual([200, text])
    }
  }
}

/** The newest version that was acknowledged is current, also when an older one came after it. */
export function expectCurrent({ index }: Galley, exchanges: readonly Exchange[]): void {
  const taken = [...takenIn(exchanges).values()]
  for (const materialId of new Set(exchanges.map((exchange) => exchange.materialId))) {
    const own = taken.filter((exchange) => exchange.materialId === materialId)
    const newestFirst = own.toSorted((one, other) => Date.parse(other.versionCdate) - Date.parse(one.versionCdate))
    const listed = index.versions.list('acme', materialId).map(({ versionId }) => versionId)
    expect(listed).toEqual(newestFirst.map(({ versionId }) => versionId))
    expect(index.materials.find('acme', materialId)?.currentVersionId ?? null).toBe(newestFirst[0]?.versionId ?? null)
  }
}

/** The log agrees with the recorded connection, answer by answer. */
export function expectLog({ index }: Galley, exchanges: readonly Exchange[]): void {
  const logged = index.callbacks.list({ site: null, outcome: null, limit: 10_000 })
  const outcomes = (outcome: string): readonly string[] =>
    logged.filter((callback) => callback.outcome === outcome).map(({ versionId }) => versionId ?? 'none')
  const taken = takenIn(exchanges)
  const acknowledged = exchanges.filter(({ rc }) => rc === 1)
  expect(logged).toHaveLength(exchanges.length)
  expect(outcomes('stored').toSorted()).toEqual([...taken.keys()].toSorted())
  expect(outcomes('duplicate')).toHaveLength(acknowledged.length - taken.size)
  for (const { versionId, answer } of acknowledged) expect(answer).toBe(taken.get(versionId)?.answer)
  expect(exchanges.filter(({ isSigned, status, rc }) => !isSigned && (status !== 400 || rc !== 0))).toEqual([])
}

/** The report to each editor is the site's last answer if it arrived, and otherwise that the result is unknown. */
export function expectTold(told: readonly DialogText[], exchanges: readonly Exchange[]): void {
  for (const { save, report } of told) {
    const versionId = versionOf({ save, report })
    const last = exchanges.findLast((exchange) => exchange.versionId === versionId)
    const { delivered, result } = report
    if (delivered !== true) expect([delivered, result], versionId).toEqual([false, 'webhook_failed'])
    else if (last?.status !== 200) expect(result, versionId).toBe('webhook_failed')
    else expect(result, versionId).toBe(last.rc === 1 ? 'merged' : 'rejected')
  }
}

/** The service shows acknowledged saves as saved, with the site's URLs, and the others as waiting for theirs. */
export async function expectService(
  service: Service,
  fingerprints: ReadonlyMap<string, string>,
  told: readonly DialogText[],
  exchanges: readonly Exchange[],
): Promise<void> {
  const taken = takenIn(exchanges)
  for (const [materialId, fingerprint] of fingerprints) {
    const own = told.filter(({ save }) => save.materialId === materialId)
    const versions = await service.versions(fingerprint)
    expect(versions.map(({ version_id: id, result }) => [id, result])).toEqual(
      own.map(({ report }) => [report['version_id'], report['result']]).toReversed(),
    )
    for (const one of own) {
      const path = `/_emulator/sessions/${fingerprint}/versions/${versionOf(one)}`
      const { state } = await service.get<{ readonly state: State }>(path)
      const merged = one.report['result'] === 'merged' ? taken.get(versionOf(one)) : undefined
      expect(state.assets, versionOf(one)).toEqual(assetsOf(merged ? stateOf(merged.answer) : one.save.state))
    }
    const last = own.at(-1)
    if (last === undefined) continue
    const session = await service.session(fingerprint)
    const { state } = await service.get<{ readonly state: State }>(
      `/_emulator/sessions/${fingerprint}/versions/${versionOf(last)}`,
    )
    expect(session).toMatchObject({
      base_version_id: versionOf(last),
      last_save: { version_id: versionOf(last), result: last.report['result'] },
    })
    expect(session['state']).toEqual(state)
  }
}
