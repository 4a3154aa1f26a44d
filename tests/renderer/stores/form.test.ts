import { beforeEach, describe, expect, it, vi } from 'vitest'

import { fail, ok } from '../../../packages/wire/result.ts'
import { createDrafts, provideDrafts } from '../../../src/renderer/stores/drafts.ts'
import { useForm } from '../../../src/renderer/stores/form.ts'
import { called, live } from '../support/called.ts'

const states = vi.hoisted(() => ({ kept: [] as unknown[], at: 0 }))

// A render without a DOM forgets state: here it is kept from one call of the hook to the next.
vi.mock('react', async (original) => ({
  ...(await original<object>()),
  useState: (initial: unknown) => {
    const { kept } = states
    const at = states.at++
    if (at === kept.length) kept.push(initial)
    const set = (next: unknown): void => {
      kept[at] = typeof next === 'function' ? (next as (last: unknown) => unknown)(kept[at]) : next
    }
    return [kept[at], set]
  },
}))

beforeEach(() => void states.kept.splice(0))

interface Draft {
  readonly host: string
  readonly port: string
}
type Options = Parameters<typeof useForm<Draft, Draft>>[0]

const noPort = { port: 'A port is a number' }
const taken = fail({ code: 'address_taken', field: 'port' } as const)
const offline = fail({ code: 'library_read_only' } as const)

/** A form and its drafts; `form` calls the hook again. */
function aForm(given: Partial<Options> = {}) {
  const drafts = createDrafts()
  const options: Options = {
    about: 'listener',
    kept: { host: 'a', port: '1' },
    saved: 'Saved',
    read: (draft) => (Number(draft.port) > 0 ? ok(draft) : fail(noPort)),
    save: async () => true,
    ...given,
  }
  return {
    options,
    drafts,
    typed: () => drafts.getState().drafts['listener'],
    form: (changed: Partial<Options> = {}) =>
      called(() => {
        states.at = 0
        return useForm({ ...options, ...changed })
      }, [provideDrafts(live(drafts))]),
  }
}

describe('what is typed', () => {
  it('stays when the form is left, and goes once it is saved or discarded', async () => {
    const { form, typed } = aForm()
    form().bind('host').onChange('b')
    states.kept.splice(0)
    expect(form().draft).toEqual({ host: 'b', port: '1' })
    expect(form().outcome()).toBe('Unsaved changes')
    await form().submit()
    expect([typed(), form().outcome(), form().isSaved]).toEqual([undefined, 'Saved', true])
    form().edit({ host: 'c' })
    expect([form().outcome(), form().isSaved, form().isChanged]).toEqual(['Unsaved changes', false, true])
    form().undo()
    expect([typed(), form().outcome(), form().isChanged]).toEqual([undefined, '', false])
  })

  it.each([
    [false, { port: '3' }],
    [true, { host: 'b', port: '3' }],
  ])('while the form is being saved stays (whole: %s)', async (isWhole, left) => {
    const { form, typed } = aForm({ isWhole, save: async () => (form().edit({ port: '3' }), true) })
    form().edit({ host: 'b', port: '2' })
    await form().submit()
    expect([typed(), form().outcome(), form().isSaved]).toEqual([left, 'Unsaved changes', false])
  })

  it.each([false, offline])('stays when the save fails: %j', async (failure) => {
    const { form, typed } = aForm({ save: async () => failure })
    form().edit({ host: 'b' })
    await form().submit()
    expect(typed()).toEqual({ host: 'b' })
  })

  it('is over what another process has saved, which other fields show unless the draft is whole', () => {
    const others = { host: 'x', port: '9' }
    const { form } = aForm()
    form().edit({ host: 'b' })
    expect(form({ kept: others }).draft).toEqual({ host: 'b', port: '9' })
    const whole = aForm({ isWhole: true })
    whole.form().edit({ host: 'b' })
    expect(whole.form({ kept: others }).draft).toEqual({ host: 'b', port: '1' })
  })

  it('goes with a form that has no subject, which shows what was saved when it opened', async () => {
    const { options, form, drafts } = aForm()
    const { about: _, ...dialog } = options
    const shown = () => called(() => ((states.at = 0), useForm(dialog)), [provideDrafts(live(drafts))])
    expect(form().draft).toEqual(dialog.kept)
    states.kept.splice(0)
    shown().edit({ host: 'b' })
    dialog.kept = { host: 'x', port: '9' }
    expect(shown().draft).toEqual({ host: 'b', port: '1' })
    await shown().submit()
    expect([shown().draft.host, drafts.getState().drafts]).toEqual(['b', {}])
    states.kept.splice(0)
    expect(shown().draft.host).toBe('x')
  })
})

describe('what is wrong', () => {
  it('is not sent, and is shown at its field until something is edited', async () => {
    const save = vi.fn(async () => true)
    const { form } = aForm({ save })
    form().edit({ port: 'x' })
    expect(form().errorAt('port')).toBeUndefined()
    await form().submit()
    expect(save).not.toHaveBeenCalled()
    expect([form().errorAt('port'), form().errorAt('host')]).toEqual([noPort.port, undefined])
    expect([form().isRefused, form().outcome()]).toEqual([true, 'Nothing was saved. Check the marked fields.'])
    form().edit({ host: 'b' })
    expect([form().errorAt('port'), form().isRefused, form().outcome()]).toEqual([undefined, false, 'Unsaved changes'])
  })

  it('is said by the field alone in a quiet form', async () => {
    const { form } = aForm({ isQuiet: true })
    form().edit({ port: 'x' })
    expect(form().judge()).toBe(false)
    expect(form().bind('port').error).toBe(noPort.port)
    expect([form().isRefused, form().outcome()]).toEqual([false, 'Unsaved changes'])
  })
})

describe('the problem of the last save', () => {
  it('is shown at the field that it names, and otherwise by the form', async () => {
    const { form } = aForm({ save: async ({ host }) => (host === 'b' ? taken : offline) })
    form().edit({ host: 'b' })
    await form().submit()
    expect([form().problem, form().errorAt('port') !== undefined, form().isRefused]).toEqual([null, true, true])
    expect(form({ fieldOf: () => null }).problem).toEqual(taken.failure)
    form().edit({ host: 'c' })
    await form().submit()
    expect([form().problem, form().errorAt('port'), form().isRefused]).toEqual([offline.failure, undefined, true])
    expect(form().outcome()).not.toBe('Unsaved changes')
  })

  it('is a new refusal each time, for the focus', async () => {
    const { form } = aForm({ save: async () => offline })
    expect(form().refusal).toBeNull()
    await form().submit()
    const { refusal } = form()
    expect(form().refusal).toBe(refusal)
    await form().submit()
    expect(form().refusal).not.toBe(refusal)
    form().edit({ host: 'b' })
    expect(form().refusal).toBeNull()
  })

  it.each([
    [undefined, false, false],
    ['untilItsEdit', true, false],
    ['untilSaved', true, true],
  ] as const)('stays %s', async (problemStays, afterAnother, afterItsOwn) => {
    let answer: Awaited<ReturnType<Options['save']>> = taken
    const { form } = aForm({ ...(problemStays && { problemStays }), save: async () => answer })
    const isShown = () => form().errorAt('port') !== undefined
    await form().submit()
    form().edit({ host: 'b' })
    expect(isShown()).toBe(afterAnother)
    form().edit({ port: '2' })
    expect(isShown()).toBe(afterItsOwn)
    answer = true
    await form().submit()
    expect(isShown()).toBe(false)
  })

  it('that something else says is not repeated, and a save under way is known', async () => {
    let answer: Awaited<ReturnType<Options['save']>> = offline
    const { form } = aForm({ save: async () => answer })
    await form().submit()
    answer = false
    const saving = form().submit()
    expect([form().isSaving, form().problem]).toEqual([true, offline.failure])
    await saving
    expect([form().isSaving, form().problem, form().isRefused, form().isSaved]).toEqual([false, null, false, false])
  })
})
