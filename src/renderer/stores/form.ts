import type { CallProblem } from '@galley/library/records'
import { keysIn } from '@galley/wire'
import type { Result } from '@galley/wire'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useProblemText } from '../i18n/problem-text.ts'
import { useDrafts } from './drafts.ts'

/** A sentence for each field that is wrong. */
export type FieldErrors<Draft> = Readonly<Partial<Record<keyof Draft, string>>>

/** The end of a save. `false`: it failed, and something else says so. */
type Saved = boolean | Result<unknown, CallProblem>

interface FormOptions<Draft extends object, Value> {
  /** Form and subject: what is typed survives leaving the screen. Without it, it goes with the form, and `kept` is that of the first render. */
  readonly about?: string
  /** What is saved, as form input. */
  readonly kept: Draft
  /** Whether the first edit takes over all fields. Otherwise a field that was not typed follows `kept`. */
  readonly isWhole?: boolean
  /** What is sent, or what is wrong. Fields are judged on submission. */
  readonly read: (draft: Draft) => Result<Value, FieldErrors<Draft>>
  readonly save: (value: Value) => Promise<Saved>
  /** Called after a save that succeeded. */
  readonly onSaved?: (value: Value) => void
  /** Fills in what follows from the typed fields. */
  readonly derive?: (draft: Draft, typed: Partial<Draft>) => Draft
  /** The field of a problem of the last save; by default the one that it names. */
  readonly fieldOf?: (problem: CallProblem, draft: Draft) => keyof Draft | null
  /** How long a message is shown: until anything is edited, which is the default, or its field, or until the next save. */
  readonly messageStays?: 'untilEdit' | 'untilItsEdit' | 'untilSaved'
  /** Whether only the fields say that they are wrong. */
  readonly isQuiet?: boolean
  /** Says that nothing is left to save. */
  readonly saved?: string
  readonly onEdit?: () => void
}

interface State<Draft> {
  /** Wrong at the last submission, and not edited since. */
  readonly wrong: ReadonlySet<keyof Draft>
  readonly problem: CallProblem | null
  readonly isSaving: boolean
  readonly isSaved: boolean
  readonly refusal: object | null
}

/** A form that was not submitted. */
export const idle = { wrong: new Set<never>(), problem: null, isSaving: false, isSaved: false, refusal: null } as const

/** The field that a problem names, if the form has it. */
export const namedField = <Draft extends object>({ field }: CallProblem, draft: Draft): keyof Draft | null =>
  field !== undefined && Object.hasOwn(draft, field) ? (field as keyof Draft) : null

/** What was typed in a form: kept for its subject while the window lives, or without one as long as the form is shown. */
function useTyped<Draft extends object>(about: string | undefined, isWhole: boolean) {
  const { drafts, put, drop } = useDrafts()
  const [own, setOwn] = useState<Partial<Draft> | null>(null)
  return {
    typed: ((about === undefined ? own : drafts[about]) ?? null) as Partial<Draft> | null,
    put: (typed: Partial<Draft> | null): void => (about === undefined ? setOwn(typed) : put(about, typed)),
    drop: (saved: Partial<Draft> | null): void => {
      if (about !== undefined) drop(about, saved ?? {}, isWhole)
    },
  }
}

/** What a form remembers, and the words for it. */
interface Cells<Draft> {
  readonly kept: Draft
  readonly typed: Partial<Draft> | null
  put(typed: Partial<Draft> | null): void
  drop(saved: Partial<Draft> | null): void
  readonly state: State<Draft>
  setState(state: State<Draft>): void
  t(key: 'unsaved' | 'checkFields'): string
  problemText(problem: CallProblem): string
}

/** One form: what is typed, what is wrong, and how the last save ended. */
export function useForm<Draft extends object, Value>(options: FormOptions<Draft, Value>): Form<Draft> {
  const { about, isWhole = false } = options
  const { t } = useTranslation('ui')
  const problemText = useProblemText()
  const [opened] = useState(options.kept)
  const typing = useTyped<Draft>(about, isWhole)
  const [state, setState] = useState<State<Draft>>(idle)
  const kept = about === undefined ? opened : options.kept
  return formOn({ ...typing, kept, state, setState, t, problemText }, options)
}

/** What `useForm` answers, without React. */
export function formOn<Draft extends object, Value>(cells: Cells<Draft>, options: FormOptions<Draft, Value>) {
  const { kept, typed, put, drop, state, setState, t, problemText } = cells
  const { isWhole = false, read, save, fieldOf = namedField, derive = (given: Draft) => given } = options
  const { messageStays = 'untilEdit', isQuiet = false } = options
  const draftOf = (from: Partial<Draft> | null): Draft => derive({ ...kept, ...from }, from ?? {})
  const draft = draftOf(typed)
  const { wrong, problem } = state
  const problemField = problem === null ? null : fieldOf(problem, draft)
  const isRefused = problem !== null || (!isQuiet && wrong.size > 0)
  // Worded while it is shown, since the language can change.
  const now = wrong.size === 0 ? null : read(draft)
  const errors: FieldErrors<Draft> | null = now === null || now.ok ? null : now.failure

  const errorAt = (key: keyof Draft): string | undefined => {
    if (problem !== null && problemField === key) return problemText(problem)
    return wrong.has(key) ? errors?.[key] : undefined
  }
  const forget = (): void => setState({ ...idle, isSaving: state.isSaving })
  const edit = (change: Partial<Draft>): void => {
    const next = { ...(isWhole ? draft : typed), ...change }
    put(next)
    options.onEdit?.()
    if (messageStays === 'untilEdit') forget()
    if (messageStays !== 'untilItsEdit') return
    const shown = draftOf(next)
    const edited = new Set<unknown>(keysIn(shown).filter((key) => key in change || shown[key] !== draft[key]))
    const left = new Set([...wrong].filter((key) => !edited.has(key)))
    setState({ ...state, wrong: left, problem: edited.has(problem?.field) ? null : problem })
  }
  const judge = (): boolean => {
    const found = read(draft)
    setState(found.ok ? { ...state, isSaved: false } : { ...idle, wrong: new Set(keysIn(found.failure)), refusal: {} })
    return found.ok
  }
  const send = async (saving: Promise<Saved>): Promise<boolean> => {
    setState({ ...state, isSaved: false, isSaving: true })
    const done = await saving
    const isDone = typeof done === 'boolean' ? done : done.ok
    // Text typed during the save is still unsaved.
    if (isDone) drop(typed)
    if (typeof done === 'boolean' || done.ok) setState({ ...idle, isSaved: isDone })
    else setState({ ...idle, problem: done.failure, refusal: {} })
    return isDone
  }
  const submit = async (): Promise<void> => {
    const found = read(draft)
    if (judge() && found.ok && (await send(save(found.value)))) options.onSaved?.(found.value)
  }
  return {
    draft,
    kept,
    isSaving: state.isSaving,
    /** Whether nothing was typed since the last save. */
    isSaved: state.isSaved && typed === null,
    /** Whether a field differs from what is saved. */
    isChanged: keysIn(draft).some((key) => draft[key] !== kept[key]),
    /** Whether the last submission failed or was wrong. */
    isRefused,
    /** A new object for each refusal, null once something was edited: for `useFocusOnError`. */
    refusal: state.refusal,
    /** Why the last save failed, unless a field shows it. */
    problem: problemField === null ? problem : null,
    errorAt,
    edit,
    /** Discards what was typed. */
    undo: (): void => {
      put(null)
      forget()
    },
    /** Forgets how the last save ended. */
    forget,
    /** Marks the wrong fields. Returns whether there are none. */
    judge,
    /** Saves something else than the fields, such as their defaults. Returns whether it was saved. */
    send,
    submit,
    /** The result, to be shown beside the button. `isUnsaved`: by default whether something is typed. */
    outcome(isUnsaved = typed !== null): string {
      if (problem !== null && problemField === null) return problemText(problem)
      if (isRefused) return t('checkFields')
      return isUnsaved ? t('unsaved') : state.isSaved ? (options.saved ?? '') : ''
    },
    /** The properties of a field. */
    bind: <Key extends keyof Draft & string>(key: Key) => ({
      name: key,
      value: draft[key],
      error: errorAt(key),
      onChange: (value: Draft[Key]): void => edit({ [key]: value } as object),
    }),
  }
}

export type Form<Draft extends object> = ReturnType<typeof formOn<Draft, unknown>>
