import { describe, expect, it } from 'vitest'

import { fail, ok } from '../../../packages/wire/result.ts'
import { problemIn } from '../../../src/renderer/i18n/problem-text.ts'
import { createDrafts, provideDrafts } from '../../../src/renderer/stores/drafts.ts'
import { formOn, idle, useForm } from '../../../src/renderer/stores/form.ts'
import { createTexts } from '../../../src/texts/catalogue.ts'
import { called, live } from '../support/called.ts'

interface Draft {
  readonly host: string
  readonly port: string
}
type Options = Parameters<typeof useForm<Draft, Draft>>[0]

const noPort = { port: 'A port is a number' }
const taken = fail({ code: 'address_taken', field: 'port' } as const)
const offline = fail({ code: 'library_read_only' } as const)

const texts = createTexts('en')

/** A form and its drafts. `form` renders it again; `leave` forgets what it remembered. */
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
  const { put, drop } = drafts.getState()
  const typed = () => drafts.getState().drafts['listener']
  let state: Parameters<typeof formOn<Draft, Draft>>[0]['state'] = idle
  return {
    typed,
    leave: () => void (state = idle),
    form: (changed: Partial<Options> = {}) =>
      formOn(
        {
          kept: changed.kept ?? options.kept,
          typed: typed() ?? null,
          put: (fields) => put('listener', fields),
          drop: (saved) => drop('listener', saved ?? {}, options.isWhole ?? false),
          state,
          setState: (next) => void (state = next),
          t: (key) => texts.t(`ui:${key}`),
          problemText: (problem) => problemIn(problem, texts),
        },
        { ...options, ...changed },
      ),
  }
}

describe('what is typed', () => {
  it('stays when the form is left, and goes once it is saved or discarded', async () => {
    const { form, typed, leave } = aForm()
    form().bind('host').onChange('b')
    leave()
    expect(form().draft).toEqual({ host: 'b', port: '1' })
    expect(form().outcome()).toBe('Unsaved changes')
    await form().submit()
    expect([typed(), form().outcome(), form().isSaved]).toEqual([undefined, 'Saved', true])
    form().forget()
    expect(form().outcome()).toBe('')
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

  it('is of its subject, and no other form shows it', () => {
    const drafts = createDrafts()
    drafts.getState().put('listener', { host: 'b' })
    const hostIn = (about?: string) => {
      const options = {
        kept: { host: 'a' },
        read: ok<{ host: string }>,
        save: async () => true,
        ...(about && { about }),
      }
      return called(() => useForm(options), [provideDrafts(live(drafts))]).draft.host
    }
    expect([hostIn('listener'), hostIn('retention'), hostIn()]).toEqual(['b', 'a', 'a'])
  })
})

describe('what is wrong', () => {
  it('is not sent, and is shown at its field until something is edited', async () => {
    const sent: Draft[] = []
    const { form } = aForm({ save: async (draft) => sent.push(draft) > 0 })
    form().edit({ port: 'x' })
    expect(form().errorAt('port')).toBeUndefined()
    await form().submit()
    expect(sent).toEqual([])
    expect([form().errorAt('port'), form().errorAt('host')]).toEqual([noPort.port, undefined])
    expect([form().isRefused, form().outcome()]).toEqual([true, 'Nothing was saved. Check the marked fields.'])
    form().edit({ host: 'b' })
    expect([form().errorAt('port'), form().isRefused, form().outcome()]).toEqual([undefined, false, 'Unsaved changes'])
  })

  it('stays at its field until that is edited, or what follows from it', async () => {
    const noHost = { host: 'A host has no blanks' }
    const { form } = aForm({
      messageStays: 'untilItsEdit',
      derive: (draft, typed) => ('port' in typed ? draft : { ...draft, port: draft.host.slice(1) }),
      read: ({ host, port }) =>
        host.startsWith('!') || port.length !== 1
          ? fail({ ...(host.startsWith('!') && noHost), ...(port.length !== 1 && noPort) })
          : ok({ host, port }),
    })
    const errors = () => [form().errorAt('host'), form().errorAt('port')]
    form().edit({ host: '!' })
    expect(form().draft).toEqual({ host: '!', port: '' })
    await form().submit()
    const { refusal } = form()
    expect(errors()).toEqual([noHost.host, noPort.port])
    form().edit({ port: '' })
    expect(errors()).toEqual([noHost.host, undefined])
    form().edit({ host: '!2' })
    expect([errors(), form().draft.port, form().refusal === refusal]).toEqual([[undefined, undefined], '', true])
    form().undo()
    form().edit({ host: '!' })
    await form().submit()
    form().edit({ host: 'b23' })
    expect([errors(), form().draft.port]).toEqual([[undefined, undefined], '23'])
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
    form().undo()
    expect([form().refusal, form().problem]).toEqual([null, null])
  })

  it.each([
    [undefined, false, false],
    ['untilItsEdit', true, false],
    ['untilSaved', true, true],
  ] as const)('stays %s', async (messageStays, afterAnother, afterItsOwn) => {
    let answer: Awaited<ReturnType<Options['save']>> = taken
    const { form } = aForm({ ...(messageStays && { messageStays }), save: async () => answer })
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
