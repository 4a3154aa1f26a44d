import { useContext } from 'react'
import type { ReactNode } from 'react'

import { Button } from './button.tsx'
import styles from './group.module.css'
import { MeansContext } from './means-context.ts'
import type { Explained } from './means-context.ts'
import words from './words.module.css'

interface GroupProps {
  readonly title?: string
  readonly text?: string
  /** `status`: changes are announced. */
  readonly role?: 'status'
  readonly children: ReactNode
}

/** A group of settings, with a heading if the page has several. */
export const Group = ({ title, text, role, children }: GroupProps) => (
  <section role={role} className={styles.group}>
    <Heading title={title} text={text} />
    {children}
  </section>
)

interface FormProps extends Omit<GroupProps, 'role'> {
  readonly submit: string
  readonly form: {
    readonly submit: () => Promise<void>
    /** The result of saving; always rendered, so that it is announced. */
    readonly outcome: () => string
    readonly isRefused: boolean
    /** Why saving failed, unless a field shows it. */
    readonly problem: Explained | null
  }
  readonly more?: ReactNode
}

/** A group of settings with one Save button. */
export function FormGroup({ title, text, submit, form, more, children }: FormProps) {
  const means = useContext(MeansContext)
  return (
    <form
      noValidate
      className={styles.group}
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      <Heading title={title} text={text} />
      {children}
      <Bar>
        <Button look="primary" type="submit">
          {submit}
        </Button>
        {more}
        <span role="status" className={form.isRefused ? words.problem : words.meta}>
          {form.outcome()}
        </span>
        {form.problem !== null && means(form.problem)}
      </Bar>
    </form>
  )
}

const Heading = ({ title, text }: { readonly title: string | undefined; readonly text: string | undefined }) => (
  <>
    {title !== undefined && <h3 className={styles.heading}>{title}</h3>}
    {text !== undefined && <p className={words.explanation}>{text}</p>}
  </>
)

/** A row of buttons with their messages. */
export const Bar = ({ children }: { readonly children: ReactNode }) => <div className={styles.bar}>{children}</div>
