import { expect, it } from 'vitest'

import { addFailure, createToasts } from '../../../src/renderer/ui/toasts.tsx'

/** The calls to the library's layer of toasts. */
function heardOf(toasts: ReturnType<typeof createToasts>) {
  const heard: { action: string; options: Record<string, unknown> & { onClose?: () => void } }[] = []
  toasts[' subscribe']((each) => void heard.push(each))
  return heard
}

it('a failure is announced at once and stays until it is dismissed; other messages do neither', () => {
  const toasts = createToasts()
  const heard = heardOf(toasts)
  addFailure(toasts, { title: 'Couldn’t stop the listener', description: 'Try again.' })
  toasts.add({ title: 'Copied' })
  expect(heard[0]).toMatchObject({ action: 'add', options: { priority: 'high', timeout: 0, type: 'error' } })
  expect(heard[1]?.options).not.toHaveProperty('priority')
  expect(heard[1]?.options).not.toHaveProperty('timeout')
})

it('a repeated failure replaces the previous one, unless that was dismissed', () => {
  const toasts = createToasts()
  const heard = heardOf(toasts)
  const fail = (title: string) => addFailure(toasts, { title })
  fail('Couldn’t open the folder')
  fail('Couldn’t stop the listener')
  fail('Couldn’t open the folder')
  const [first, , closing, again] = heard
  expect(heard.map(({ action }) => action)).toStrictEqual(['add', 'add', 'close', 'add'])
  expect(closing?.options['id']).toBe(first?.options['id'])
  // Dismissed by a person: the layer reports it, late for the first one.
  first?.options.onClose?.()
  again?.options.onClose?.()
  fail('Couldn’t open the folder')
  expect(heard.map(({ action }) => action)).toStrictEqual(['add', 'add', 'close', 'add', 'add'])
})

it('the action of a failure closes it', () => {
  const toasts = createToasts()
  const heard = heardOf(toasts)
  let runs = 0
  addFailure(toasts, { title: 'Export failed', action: { label: 'Tasks', run: () => void (runs += 1) } })
  const actionProps = heard[0]?.options['actionProps'] as { readonly onClick: () => void } | undefined
  actionProps?.onClick()
  expect(runs).toBe(1)
  expect(heard[1]).toMatchObject({ action: 'close', options: { id: heard[0]?.options['id'] } })
})

it('messages from before the layer is drawn are shown once it is, except those that were closed', () => {
  const toasts = createToasts()
  addFailure(toasts, { title: 'That link leads nowhere' })
  const closed = toasts.add({ title: 'Copied' })
  toasts.close(closed)
  const heard = heardOf(toasts)
  toasts.add({ title: 'Saved' })
  expect(heard.map(({ action, options }) => [action, options['title']])).toStrictEqual([
    ['add', 'That link leads nowhere'],
    ['add', 'Saved'],
  ])
})
