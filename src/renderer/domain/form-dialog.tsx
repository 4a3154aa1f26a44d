import { useRef } from 'react'
import type { ReactNode, RefObject } from 'react'

import type { Form } from '../stores/form.ts'
import { CancelAndSubmit, Dialog, DialogForm } from '../ui/dialog.tsx'
import { useDiscardGuard } from '../ui/discard-question.tsx'
import { ProblemBanner } from './means.tsx'

interface Props {
  readonly title: string
  readonly size?: 'small' | 'large'
  readonly form: Pick<Form<object>, 'problem' | 'isSaving' | 'isChanged' | 'submit'>
  readonly submit: string
  /** Whether the form can be submitted. */
  readonly isReady?: boolean
  /** Asks before it closes with changed fields. */
  readonly isGuarded?: boolean
  /** For what cannot be undone: a red button, and the focus on Cancel. */
  readonly isDanger?: boolean
  readonly initialFocus?: RefObject<HTMLElement | null> | undefined
  /** Before the actions. */
  readonly status?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The dialog of a form; on failure it shows the problem and keeps the input. */
export function FormDialog(props: Props) {
  const {
    title,
    size = 'small',
    form,
    submit,
    isReady = true,
    isGuarded = false,
    isDanger = false,
    status,
    onClose,
  } = props
  const cancel = useRef<HTMLButtonElement>(null)
  const { leave, question } = useDiscardGuard(isGuarded && form.isChanged, onClose)
  const canSubmit = isReady && !form.isSaving
  return (
    <Dialog title={title} size={size} initialFocus={isDanger ? cancel : props.initialFocus} onClose={leave}>
      {form.problem !== null && <ProblemBanner problem={form.problem} />}
      <DialogForm
        onSubmit={() => {
          if (canSubmit) void form.submit()
        }}
        actions={
          question ?? (
            <>
              {status}
              <CancelAndSubmit
                cancelRef={cancel}
                onCancel={leave}
                look={isDanger ? 'danger' : 'primary'}
                isDisabled={!canSubmit}
                submit={submit}
              />
            </>
          )
        }
      >
        {props.children}
      </DialogForm>
    </Dialog>
  )
}
