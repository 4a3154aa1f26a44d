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
  /** The field of a problem of the last save; by default the one that it names. */
  readonly fieldOf?: (problem: CallProblem, draft: Draft) => keyof Draft | null
  /** How long a problem of saving is shown: until anything is edited, which is the default, or its field, or until the next save. */
  readonly problemStays?: 'untilEdit' | 'untilItsEdit' | 'untilSaved'
  /** Whether only the fields say that they are wrong. */
  readonly isQuiet?: boolean
  /** Says that nothing is left to save. */
  readonly saved?: string
  readonly onEdit?: () => void
}

/** What a dialog needs to know of its form. */
export interface Submission {
  /** Why the last save failed, unless a field shows it. */
  readonly problem: CallProblem | null
  readonly isSaving: boolean
  /** Whether a field differs from what is saved. */
  readonly isChanged: boolean
  readonly submit: () => Promise<void>
}

/** The input of a form, and the result of saving it. */
export interface Form<Draft extends object> extends Submission {
  readonly draft: Draft
  readonly kept: Draft
  /** The edited fields. */
  readonly typed: Partial<Draft>
  /** Whether nothing was typed since the last save. */
  readonly isSaved: boolean
  /** Whether the last submission failed or was wrong. */
  readonly isRefused: boolean
  /** A new object for each refusal, until its problem is gone: for `useFocusOnError`. */
  readonly refusal: object | null
  readonly errorAt: (key: keyof Draft) => string | undefined
  readonly edit: (change: Partial<Draft>) => void
  /** Discards what was typed. */
  readonly undo: () => void
  /** Forgets the result of the last save. */
  readonly forget: () => void
  /** Marks the wrong fields. Returns whether there are none. */
  readonly judge: () => boolean
  /** Saves something else than the fields, such as their defaults. */
  readonly send: (saving: Promise<Saved>) => Promise<void>
  /** The result, to be shown beside the button. `isUnsaved`: what counts as unsaved; by default what was typed. */
  readonly outcome: (isUnsaved?: boolean) => string
  /** The properties of a field. */
  readonly bind: <Key extends keyof Draft & string>(
    key: Key,
  ) => {
    readonly name: Key
    readonly value: Draft[Key]
    readonly error: string | undefined
    readonly onChange: (value: Draft[Key]) => void
  }
}

interface State {
  /** Whether fields were wrong at the last submission, and nothing was edited since. */
  readonly isWrong: boolean
  readonly problem: CallProblem | null
  readonly isSaved: boolean
  readonly refusal: object | null
}

const idle: State = { isWrong: false, problem: null, isSaved: false, refusal: null }

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

/** One form: what is typed, what is wrong, and what saving it said. */
export function useForm<Draft extends object, Value>(options: FormOptions<Draft, Value>): Form<Draft> {
  const {
    about,
    isWhole = false,
    read,
    save,
    fieldOf = namedField,
    problemStays = 'untilEdit',
    isQuiet = false,
  } = options
  const { t } = useTranslation('ui')
  const problemText = useProblemText()
  const [opened] = useState(options.kept)
  const { typed, put, drop } = useTyped<Draft>(about, isWhole)
  const [state, setState] = useState(idle)
  const [isSaving, setSaving] = useState(false)
  const kept = about === undefined ? opened : options.kept
  const draft = { ...kept, ...typed }
  const { isWrong, problem } = state
  const problemField = problem === null ? null : fieldOf(problem, draft)
  const isRefused = problem !== null || (!isQuiet && isWrong)
  // Worded while it is shown, since the language can change.
  const now = isWrong ? read(draft) : null
  const errors: FieldErrors<Draft> | null = now === null || now.ok ? null : now.failure

  const errorAt = (key: keyof Draft): string | undefined => {
    if (problem !== null && problemField === key) return problemText(problem)
    return errors?.[key]
  }
  const edit = (change: Partial<Draft>): void => {
    put({ ...(isWhole ? draft : typed), ...change })
    const isItsEdit = problem?.field !== undefined && Object.hasOwn(change, problem.field)
    if (problemStays === 'untilEdit' || (problemStays === 'untilItsEdit' && isItsEdit)) setState(idle)
    options.onEdit?.()
  }
  const judge = (): boolean => {
    const found = read(draft)
    if (found.ok) setState((last) => (last.isSaved ? idle : last))
    else setState({ ...idle, isWrong: true, refusal: {} })
    return found.ok
  }
  const send = async (saving: Promise<Saved>): Promise<void> => {
    setSaving(true)
    const done = await saving
    setSaving(false)
    if (done === false) return setState(idle)
    if (done !== true && !done.ok) return setState({ ...idle, problem: done.failure, refusal: {} })
    // Text typed during the save is still unsaved.
    drop(typed)
    setState({ ...idle, isSaved: true })
  }
  const submit = async (): Promise<void> => {
    const found = read(draft)
    if (judge() && found.ok) await send(save(found.value))
  }
  const isSaved = state.isSaved && typed === null
  const outcome = (isUnsaved = typed !== null): string => {
    if (problem !== null && problemField === null) return problemText(problem)
    if (isRefused) return t('checkFields')
    return isUnsaved ? t('unsaved') : state.isSaved ? (options.saved ?? '') : ''
  }
  return {
    draft,
    kept,
    typed: typed ?? {},
    isSaved,
    isSaving,
    isChanged: keysIn(draft).some((key) => draft[key] !== kept[key]),
    isRefused,
    refusal: state.refusal,
    problem: problemField === null ? problem : null,
    errorAt,
    edit,
    undo: () => {
      put(null)
      setState(idle)
    },
    forget: () => setState(idle),
    judge,
    send,
    submit,
    outcome,
    bind: (key) => ({
      name: key,
      value: draft[key],
      error: errorAt(key),
      onChange: (value) => edit({ [key]: value } as object as Partial<Draft>),
    }),
  }
}
