import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Finding } from '../../contract/care-reports.ts'
import type { MaterialName } from '../db/consistency.ts'
import type { Index } from '../db/library-index.ts'
import { storageReason } from '../disk/storage-reason.ts'
import type { Vault } from '../vault/vault.ts'

/** As much of a page as a save puts into its search document, in UTF-16 units. */
const textMaxChars = 200_000

/** Compares the index with itself, table by table, and mends what follows from other rows. */
export async function checkIndex(
  index: Index,
  vault: Vault,
  { repair, signal }: { readonly repair: boolean; readonly signal: AbortSignal },
): Promise<readonly Finding[]> {
  const { consistency } = index
  const findings: Finding[] = []
  const add = (finding: Pick<Finding, 'kind' | 'detail' | 'fixable'> & Partial<Finding>): void =>
    void findings.push({ file: null, usedBy: [], fixed: finding.fixable && repair, ...finding })

  for (const table of consistency.tables()) {
    signal.throwIfAborted()
    const verdict = consistency.quickCheck(table)
    if (verdict !== 'ok') add({ kind: 'index_damaged', detail: verdict, fixable: false })
    await nextTurn()
  }
  // The rows of a damaged index cannot be trusted, and a repair by them would make things worse.
  if (findings.length > 0) return findings

  try {
    for (const table of consistency.tables()) {
      for (const { names, rows } of consistency.brokenReferences(table)) {
        const detail = `${rows} rows of ${table} name a ${names} that is not there`
        add({ kind: 'broken_reference', detail, fixable: false })
      }
      await nextTurn()
    }
    for (const material of consistency.wrongCurrent()) {
      if (repair) consistency.mendCurrent(material)
      const detail = `The current version of ${material.materialId} is not its newest one`
      add({ kind: 'current_version', detail, usedBy: [touched(material)], fixable: true })
    }
    await nextTurn()
    for (const { id, site, materialId, versionId } of consistency.staleDeliveries()) {
      if (repair) consistency.forgetCallback(id)
      const detail = `A callback says that it stored version ${versionId} of ${materialId}, which is not there`
      add({ kind: 'stale_delivery', detail, usedBy: [{ site, materialId, versionId, part: null }], fixable: true })
    }
    await nextTurn()
    const search = consistency.searchIndex()
    if (search !== 'ok') {
      if (repair) consistency.rebuildSearchIndex()
      add({ kind: 'search_index', detail: 'The full-text index does not agree with its documents', fixable: true })
    }
    await nextTurn()
    for (const material of consistency.unsearchable()) {
      const page = repair ? await pageOf(index, vault, material) : null
      if (page !== null) consistency.mendDocument(material, page)
      const detail = `The search does not know ${material.materialId} as it is`
      const fixed = page !== null
      add({ kind: 'search_document', detail, usedBy: [touched(material)], fixable: true, fixed })
    }
  } catch (error) {
    // Damage that the quick check does not see shows when rows are read.
    if (!isIndexFault(error)) throw error
    add({ kind: 'index_damaged', detail: storageReason(error), fixable: false })
  }
  return findings
}

const touched = ({ site, materialId }: MaterialName) => ({ site, materialId, versionId: null, part: null })

const isIndexFault = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CORRUPT')

/** The readable text of a material's current page; null when its file cannot be read. */
async function pageOf(index: Index, vault: Vault, { site, materialId }: MaterialName): Promise<string | null> {
  const current = index.versions.currentParts(site, materialId)
  if (!current) return ''
  const place = index.blobs.find(current.html)
  const html = place && (await vault.readBytes(place).catch(() => null))
  if (!html) return null
  // Its parser is a fifth of what a start would load.
  const { pageText } = await import('../../contract/page-text.ts')
  return pageText(html.toString('utf8'), textMaxChars).text
}
