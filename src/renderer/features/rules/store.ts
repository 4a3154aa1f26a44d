import type { Answer, CallProblem, EditableRules, SavePause, SiteRules } from '@galley/library/records'
import { ok } from '@galley/wire'
import type { MaterialId, SiteId } from '@galley/wire'
import { createStore } from 'zustand'
import type { StoreApi } from 'zustand'

import type { Bridge } from '../../../ipc/calls.ts'
import { catchUnexpected } from '../../bridge/answers.ts'
import type { View } from '../../bridge/answers.ts'
import { onChange } from '../../bridge/on-change.ts'
import { oneAtATime } from '../../bridge/one-at-a-time.ts'
import { refusal } from '../../bridge/refusal.ts'
import { createStoreContext } from '../../context/provided.ts'
import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'

export interface RulesState {
  readonly site: SiteId | null
  readonly view: View<{ readonly site: SiteRules; readonly everywhere: SavePause | null }>
  /** Why the last change failed. */
  readonly problem: CallProblem | null
  show(site: SiteId | null): void
  load(): Promise<void>
  save(rules: EditableRules): Promise<Answer<unknown>>
  /** Pauses saves of the site or of all sites. Returns whether it succeeded; `problem` says why not. */
  pause(scope: 'site' | 'everywhere', reason: string): Promise<boolean>
  resume(scope: 'site' | 'everywhere'): Promise<boolean>
  /** A null reason unblocks the material. Returns whether it succeeded; `problem` says why not. */
  refuse(materialId: MaterialId, reason: string | null): Promise<boolean>
}

/** The rules that block saves of one site, and the pause of all sites. */
function createRules(bridge: Bridge): StoreApi<RulesState> {
  const rules = createStore<RulesState>()((set, get) => {
    const after = async (answer: Promise<{ ok: true } | { ok: false; failure: CallProblem }>): Promise<boolean> => {
      const made = await answer
      set({ problem: made.ok ? null : made.failure })
      await get().load()
      return made.ok
    }
    const siteOf = (scope: 'site' | 'everywhere'): string | null => (scope === 'everywhere' ? null : get().site)
    return {
      site: null,
      view: { kind: 'loading' },
      problem: null,
      show: (site) => {
        if (site === get().site) return
        set({ site, view: { kind: 'loading' }, problem: null })
        void get().load()
      },
      load: oneAtATime(async () => {
        const { site } = get()
        if (site === null) return
        const read = await catchUnexpected(bridge.call('readRules', { site }))
        if (get().site !== site) return
        set({ view: read.ok ? { kind: 'ready', items: read.value } : { kind: 'failed', problem: read.failure } })
      }),
      save: async (next) => {
        const { site } = get()
        if (site === null) return ok(null)
        const saved = await catchUnexpected(bridge.call('saveRules', { site, rules: next }))
        if (saved.ok) await get().load()
        return saved
      },
      pause: (scope, reason) => after(catchUnexpected(bridge.call('pauseSaves', { site: siteOf(scope), reason }))),
      resume: (scope) => after(catchUnexpected(bridge.call('resumeSaves', { site: siteOf(scope) }))),
      refuse: async (materialId, reason) => {
        const { site } = get()
        return (
          site !== null &&
          after(
            catchUnexpected(
              bridge.call('setFields', {
                record: 'material',
                site,
                of: [{ materialId }],
                set: { refused: refusal(reason) },
              }),
            ),
          )
        )
      },
    }
  })
  onChange(bridge, ['rules', 'sites'], () => void rules.getState().load())
  return rules
}

const [useRules, provideRules] = createStoreContext<RulesState>('rules')
export { useRules }

/** The rules of the site that Settings shows. */
export function createRuleStores({ bridge, navigation }: Services): readonly Provide[] {
  const rules = createRules(whileShown(bridge, navigation, ['settings']))
  followOn(navigation, ['settings'], (site) => rules.getState().show(site))
  return [provideRules(rules)]
}
