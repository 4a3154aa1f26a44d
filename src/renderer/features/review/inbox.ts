import type {
  AnsweredMaterial,
  MaterialRef,
  ReviewPage,
  ReviewQuery,
  ReviewRow,
  VersionRow,
} from '@galley/library/records'
import { versionMoment } from '@galley/library/records'
import type { SiteId, VersionId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { onChange } from '../../bridge/on-change.ts'
import { createStoreContext } from '../../context/provided.ts'
import { createPages } from '../../stores/pages.ts'
import type { Page, PagesState } from '../../stores/pages.ts'

/** `review`: pages that wait for a decision. `requested`: pages that are back with their writers. */
export const inboxLists = ['review', 'requested', 'failed', 'answered'] as const
export type InboxList = (typeof inboxLists)[number]
export const inboxOrders = ['oldest', 'site', 'writer', 'size'] as const satisfies readonly ReviewQuery['order'][]

/** A page of the inbox, with the pair of versions that its review compares. */
export interface WaitingPage extends ReviewRow {
  /** Null: all of it is new. */
  readonly before: VersionId | null
  readonly after: VersionId
  readonly number: number
  /** Tells its entry in the list from others: there is one for each page, or for each version of a page. */
  readonly key: string
  /** Whether this is the current version of its page. */
  readonly isCurrent: boolean
}

export const waitingPage = (row: ReviewRow): WaitingPage => ({
  ...row,
  before: row.baseline?.versionId ?? null,
  after: row.version.versionId,
  number: row.version.number,
  key: `${row.site} ${row.materialId}`,
  isCurrent: true,
})

/** A page that is compared with an earlier version of it. */
export type ComparedPage = Pick<WaitingPage, 'site' | 'materialId' | 'after'> & { readonly before: VersionId }

/** An entry in the list of the versions of a page, each compared with the one before it. */
const versionOf = (page: ReviewRow, version: VersionRow): WaitingPage => ({
  ...page,
  version,
  baseline: null,
  since: versionMoment(version),
  savedAt: versionMoment(version),
  savedBy: version.userEmail,
  sizeBytes: version.sizeBytes,
  verdict: version.verdict,
  answers: null,
  failedSave: null,
  summary: null,
  before: version.change?.from ?? null,
  after: version.versionId,
  number: version.number,
  key: version.versionId,
  isCurrent: version.current,
})

export const isSamePage = (one: WaitingPage, other: WaitingPage | null): boolean => one.key === other?.key

export interface InboxChoice {
  readonly list: InboxList
  readonly order: ReviewQuery['order']
  readonly isAllSites: boolean
}

export interface InboxState extends InboxChoice, Pick<ReviewPage, 'counts' | 'failed' | 'unchanged'> {
  readonly site: SiteId | null
  /** The page whose versions are listed in place of the inbox. */
  readonly of: MaterialRef | null
  /** The version of it that was current when they were first listed. */
  readonly known: VersionId | null
  readonly answered: readonly (AnsweredMaterial & { readonly page: WaitingPage })[]
  show(site: SiteId): void
  showVersions(of: MaterialRef): void
  choose(choice: Partial<InboxChoice>): void
  load(): Promise<void>
}

/** More are not listed: the newest are looked at first. */
const answeredAtMost = 100

export type InboxRows = StoreApi<PagesState<WaitingPage>>

const nothing = {
  counts: { new: 0, changed: 0, approved: 0, changes_requested: 0 },
  unchanged: 0,
  failed: [],
  answered: [],
} as const

/** The pages that wait, read as they are seen; and what else waits beside them. */
export function createInbox(bridge: Bridge): { readonly inbox: StoreApi<InboxState>; readonly rows: InboxRows } {
  async function readVersions(of: MaterialRef, offset: number, limit: number): Promise<Page<WaitingPage>> {
    const [page, { total, rows }] = await Promise.all([
      bridge.call('reviewRow', of),
      bridge.call('queryVersions', { ...of, offset, limit }),
    ])
    if (page === null) return { total: 0, rows: [] }
    if (inbox.getState().known === null) inbox.setState({ known: page.version.versionId })
    return { total, rows: rows.map((version) => versionOf(page, version)) }
  }
  const rows = createPages<WaitingPage>(async (offset, limit) => {
    const { site, isAllSites, order, list, of } = inbox.getState()
    if (of !== null) return await readVersions(of, offset, limit)
    const states: ReviewQuery['states'] = list === 'requested' ? ['changes_requested'] : ['new', 'changed']
    const query = { site: isAllSites ? null : site, states, order, offset, limit }
    const page = await bridge.call('reviewQueue', query)
    if (inbox.getState().site === site)
      inbox.setState({ counts: page.counts, failed: page.failed, unchanged: page.unchanged })
    return { total: page.total, rows: page.rows.map(waitingPage) }
  })
  const readAnswered = async (): Promise<void> => {
    const { site, isAllSites } = inbox.getState()
    const all = await bridge.call('answeredComments', undefined).catch(() => [])
    const wanted = all.filter((each) => isAllSites || each.site === site).slice(0, answeredAtMost)
    const rowOf = ({ site: of, materialId }: AnsweredMaterial) =>
      bridge.call('reviewRow', { site: of, materialId }).catch(() => null)
    const found = await Promise.all(wanted.map(rowOf))
    const answered = wanted.flatMap((each, at) => {
      const row = found[at] ?? null
      return row === null ? [] : [{ ...each, page: waitingPage(row) }]
    })
    if (inbox.getState().site === site) inbox.setState({ answered })
  }
  const inbox: StoreApi<InboxState> = createStore<InboxState>()((set, get) => ({
    ...nothing,
    site: null,
    of: null,
    known: null,
    list: 'review',
    order: 'oldest',
    isAllSites: false,
    show(site) {
      if (site === get().site) return
      set({ ...nothing, site })
      void rows.getState().restart()
      void readAnswered()
    },
    showVersions({ site, materialId }) {
      set({ site, of: { site, materialId } })
      void rows.getState().restart()
    },
    choose(choice) {
      set(choice)
      void rows.getState().renew()
      void readAnswered()
    },
    async load() {
      const { site, of } = get()
      if (site !== null) await Promise.all([rows.getState().refresh(), ...(of === null ? [readAnswered()] : [])])
    },
  }))
  onChange(bridge, ['materials', 'marks', 'targets', 'comparisons', 'callbacks'], () => void inbox.getState().load())
  return { inbox, rows }
}

/** The index of a page among the rows that are read; null if it is not there. */
export function indexOfPage({ rows }: Pick<PagesState<WaitingPage>, 'rows'>, page: WaitingPage | null): number | null {
  for (const [index, row] of rows) if (isSamePage(row, page)) return index
  return null
}

/** The rows that are read, from the one behind this page on, around the end. */
export function behind(state: Pick<PagesState<WaitingPage>, 'rows'>, page: WaitingPage | null): readonly WaitingPage[] {
  const from = indexOfPage(state, page) ?? -1
  const others = [...state.rows].filter(([index]) => index !== from)
  const inOrder = others.toSorted(([one], [other]) => Number(one < from) - Number(other < from) || one - other)
  return inOrder.map(([, row]) => row)
}

/** Takes a page out of the rows before they are read again. */
export function takeOut(rows: InboxRows, page: WaitingPage): void {
  const state = rows.getState()
  const from = indexOfPage(state, page)
  if (from === null || state.rows.get(from)?.after !== page.after) return
  const left = [...state.rows].filter(([index]) => index !== from)
  rows.setState({
    total: state.total - 1,
    rows: new Map(left.map(([index, row]) => [index > from ? index - 1 : index, row])),
  })
}

export const [useInbox, provideInbox] = createStoreContext<InboxState>('inbox')
export const [useInboxRows, provideInboxRows] = createStoreContext<PagesState<WaitingPage>>('rows of the inbox')
