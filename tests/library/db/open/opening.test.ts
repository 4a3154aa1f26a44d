import { describe, expect, it } from 'vitest'

import type { BuiltIndex, Findings, Step } from '../../../../packages/library/db/open/opening.ts'
import { afterBuilding, afterFailure, causeToRebuild, nextStep } from '../../../../packages/library/db/open/opening.ts'

const whole: Findings = {
  log: 'there',
  index: 'own',
  indexInLog: 'holds',
  checkpoint: 'up_to_index',
  local: 'fits',
  name: 'known',
  files: 'some',
  isCopy: false,
  asked: null,
  by: null,
  request: null,
  isServed: false,
  isLogFaulty: false,
}
const noLog = { log: 'missing', indexInLog: 'ahead' } as const
const noIndex = { index: 'absent', indexInLog: null } as const
const byPerson = { asked: 'log', by: 'person' } as const

describe('the next step of an opening', () => {
  it.each<[string, Partial<Findings>, Step]>([
    ['all is there', {}, 'open'],
    ['the log lacks the end of the index', { indexInLog: 'ahead' }, 'open'],
    ['log and index differ', { indexInLog: 'differs', checkpoint: 'after_gap' }, 'open'],
    ['only a checkpoint is there', { ...noLog, ...noIndex, checkpoint: 'after_index' }, 'index_from_checkpoint'],
    [
      'a damaged index and a checkpoint are there',
      { ...noLog, index: 'damaged', checkpoint: 'after_index' },
      'index_from_checkpoint',
    ],
    ['there is no log, and a later checkpoint', { ...noLog, checkpoint: 'after_gap' }, 'index_from_checkpoint'],
    ['the same in a copy', { ...noLog, checkpoint: 'after_gap', isCopy: true }, 'renew_copy'],
    ['there is no log, but an index', noLog, 'open'],
    ['a new log is asked for', { asked: 'index', by: 'file', request: 'index' }, 'log_from_index'],
    ['a rebuild is asked for', { ...byPerson }, 'restore_line_ends'],
    ['a rebuild was asked for', { asked: 'log', by: 'file', request: 'log' }, 'restore_line_ends'],
    ['nothing is there', { ...noLog, ...noIndex, files: 'none', checkpoint: 'none', name: 'unknown' }, 'create_log'],
    ['only files are there', { ...noLog, ...noIndex, checkpoint: 'none' }, 'refuse_without_log_and_index'],
    [
      'only a damaged index is there',
      { ...noLog, index: 'damaged', indexInLog: null, checkpoint: 'none' },
      'refuse_without_log_and_index',
    ],
    [
      'only an index of another schema is there',
      { ...noLog, index: 'other_schema', indexInLog: null, checkpoint: 'none' },
      'refuse_without_log_and_index',
    ],
    ['nothing names the library', { name: 'unknown' }, 'find_name'],
    ['an index without a log names it', { ...noLog, name: 'unknown' }, 'open'],
    ['a copy has another entry', { isCopy: true, indexInLog: 'differs' }, 'renew_copy'],
    ['a copy lacks the end of the index', { isCopy: true, indexInLog: 'ahead' }, 'renew_copy'],
    ['a copy begins after the index', { isCopy: true, indexInLog: 'behind' }, 'renew_copy'],
    ['local.db was not looked at', { local: 'unknown' }, 'prepare_local'],
    ['the index is missing', noIndex, 'rebuild_index'],
    ['a copy was rebuilt from a faulty log', { isCopy: true, isLogFaulty: true }, 'renew_faulty_copy'],
    ['a log was faulty', { isLogFaulty: true }, 'open'],
    ['local.db is of another library', { local: 'foreign' }, 'replace_local'],
  ])('if %s', (_what, found, step) => {
    expect(nextStep({ ...whole, ...found }, [])).toBe(step)
  })

  it.each<[string, Partial<Findings>, readonly Step[]]>([
    ['no log is there to rebuild from', { ...noLog, ...byPerson }, ['restore_line_ends', 'refuse_without_log']],
    ['a person asks for a rebuild', byPerson, ['restore_line_ends', 'request_rebuild']],
    [
      'this opening met damage',
      { asked: 'log', by: 'damage' },
      ['restore_line_ends', 'request_rebuild', 'rebuild_index'],
    ],
    ['a file asks for a rebuild', { asked: 'log', by: 'file', request: 'log' }, ['restore_line_ends', 'rebuild_index']],
    [
      'a file asks for a new log',
      { asked: 'index', by: 'file', request: 'index' },
      ['log_from_index', 'restore_line_ends', 'request_rebuild', 'rebuild_index'],
    ],
    ['a copy is astray twice', { isCopy: true, indexInLog: 'differs' }, ['renew_copy', 'renew_faulty_copy']],
  ])('goes on, if %s', (_what, found, order) => {
    const done: Step[] = []
    for (const step of order) {
      expect(nextStep({ ...whole, ...found }, done)).toBe(step)
      done.push(step)
    }
  })
})

describe('the index is rebuilt', () => {
  it.each<[ReturnType<typeof causeToRebuild>, string, Partial<Findings>]>([
    [null, 'if all is there', {}],
    [null, 'without a log', { ...noLog, ...noIndex }],
    ['damaged', 'if this opening met damage', { by: 'damage', asked: 'log', request: 'log' }],
    ['new_log', 'from a new log', { by: 'person', asked: 'index', request: 'log' }],
    [
      'new_log',
      'from a new log, beside a listener, which is refused later',
      { by: 'person', asked: 'index', request: 'log', isServed: true },
    ],
    [null, 'by the listener if it was asked for', { request: 'log', isServed: true, ...noIndex }],
    ['damaged', 'if damage was met before', { request: 'damaged', asked: 'log', by: 'file' }],
    ['asked', 'if a person asked', { request: 'log', asked: 'log', by: 'person' }],
    ['asked', 'if its replacement was interrupted', { request: 'replacing', asked: 'log', by: 'file' }],
    ['missing', 'if it is missing', noIndex],
    ['damaged', 'if it is damaged', { index: 'damaged', indexInLog: null }],
    ['other_schema', 'if it has another schema', { index: 'other_schema', indexInLog: null }],
    ['other_library', 'if it is of another library', { index: 'other_library', indexInLog: 'differs' }],
    ['behind_log', 'if the log begins after it', { indexInLog: 'behind' }],
    ['behind_log', 'of a copy too', { indexInLog: 'behind', isCopy: true }],
    ['behind_checkpoint', 'if only a checkpoint has later entries', { checkpoint: 'after_gap' }],
    ['behind_checkpoint', 'also at the end of the log', { indexInLog: 'ahead', checkpoint: 'after_gap' }],
    [null, 'not for a checkpoint that the log reaches', { checkpoint: 'after_index' }],
    [null, 'not in a copy, which fetches what it lacks', { checkpoint: 'after_gap', isCopy: true }],
    [null, 'not if log and index differ: a person decides', { indexInLog: 'differs', checkpoint: 'after_gap' }],
  ])('%s: %s', (cause, _when, found) => {
    expect(causeToRebuild({ ...whole, ...found })).toBe(cause)
  })
})

const built: BuiltIndex = { cause: 'missing', isCopy: false, from: 'first_entry', lacks: 'none', base: 'unknown' }

it.each<[ReturnType<typeof afterBuilding>, Partial<BuiltIndex>]>([
  ['keep_index', { cause: 'behind_log' }],
  ['look_for_base', { cause: 'behind_log', from: 'after_index' }],
  ['look_for_base', {}],
  ['look_for_base', { isCopy: true }],
  ['look_for_base', { cause: 'asked', lacks: 'some' }],
  ['look_for_base', { cause: 'asked', isCopy: true, lacks: 'before_log' }],
  ['build_up_to_loss', { cause: 'asked', isCopy: true, lacks: 'some' }],
  ['take', { cause: 'asked', isCopy: true }],
  ['build_from_base', { base: 'found' }],
  ['build_from_base', { base: 'found', cause: 'behind_checkpoint' }],
  ['keep_index', { base: 'none', cause: 'behind_checkpoint' }],
  ['keep_index', { base: 'none', cause: 'behind_checkpoint', from: 'up_to_index' }],
  ['take', { base: 'none', cause: 'behind_checkpoint', from: 'after_index' }],
  ['build_up_to_loss', { base: 'none', isCopy: true, lacks: 'some' }],
  ['build_up_to_loss', { base: 'none', isCopy: true, lacks: 'before_log' }],
  ['take', { base: 'none', lacks: 'some' }],
  ['take', { base: 'none' }],
])('after building: %s for %j', (then, index) => {
  expect(afterBuilding({ ...built, ...index })).toBe(then)
})

it.each([
  ['rebuild', { fault: 'damage', isAsked: false, isServed: false }],
  ['let_owner_rebuild', { fault: 'damage', isAsked: false, isServed: true }],
  ['fail', { fault: 'damage', isAsked: true, isServed: false }],
  ['open_to_read', { fault: 'unwritable', isAsked: false, isServed: false }],
  ['fail', { fault: 'unwritable', isAsked: true, isServed: false }],
  ['fail', { fault: 'other', isAsked: false, isServed: false }],
] as const)('after a failure: %s for %j', (then, failure) => {
  expect(afterFailure(failure)).toBe(then)
})

/** Every combination of these values. */
const combinations = <Found extends object>(values: {
  readonly [Name in keyof Found]: readonly Found[Name][]
}): Found[] =>
  Object.entries<readonly unknown[]>(values).reduce<object[]>(
    (all, [name, each]) => all.flatMap((found) => each.map((value) => ({ ...found, [name]: value }))),
    [{}],
  ) as Found[]

it('every state of a folder ends, and nothing is built without a log or taken from a copy', () => {
  const states = combinations<Findings>({
    log: ['there', 'missing'],
    index: ['own', 'other_library', 'other_schema', 'damaged', 'absent'],
    indexInLog: ['holds', 'differs', 'ahead', 'behind', null],
    checkpoint: ['none', 'up_to_index', 'after_index', 'after_gap'],
    local: ['unknown', 'fits', 'foreign'],
    name: ['known', 'unknown'],
    files: ['none', 'some'],
    isCopy: [true, false],
    asked: [null],
    by: [null],
    request: [null, 'log', 'replacing'],
    isServed: [true, false],
    isLogFaulty: [true, false],
  })
  const wrong = states.filter((found) => {
    const taken: Step[] = []
    for (let step = nextStep(found, taken); step !== 'open'; step = nextStep(found, taken)) taken.push(step)
    const isUnusable = !['own', 'other_library'].includes(found.index)
    return (
      (found.log === 'missing' && taken.includes('rebuild_index')) ||
      (found.log === 'missing' && isUnusable && !taken.some((step) => /^(?:create|refuse|index_from)/.test(step))) ||
      (found.log === 'there' && taken.some((step) => /^(?:create|refuse|index_from)/.test(step))) ||
      (!found.isCopy && taken.some((step) => step.startsWith('renew'))) ||
      (found.log === 'there' && isUnusable && found.request === null && !taken.includes('rebuild_index'))
    )
  })
  expect(wrong).toEqual([])
})
