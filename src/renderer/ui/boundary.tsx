import { Component } from 'react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from './button.tsx'
import { Message } from './message.tsx'

interface Props {
  readonly children: ReactNode
  /** Identifies the content; when it changes, the boundary tries again. */
  readonly of?: string | undefined
}

interface State {
  readonly isBroken: boolean
  readonly of: string | undefined
}

/** Confines an error to one pane, which can then be reloaded. */
export class Boundary extends Component<Props, State> {
  override state: State = { isBroken: false, of: this.props.of }

  static getDerivedStateFromError(): Partial<State> {
    return { isBroken: true }
  }

  static getDerivedStateFromProps({ of }: Props, state: State): State | null {
    return of === state.of ? null : { isBroken: false, of }
  }

  override render(): ReactNode {
    if (!this.state.isBroken) return this.props.children
    return <Broken onRetry={() => this.setState({ isBroken: false })} />
  }
}

function Broken({ onRetry }: { readonly onRetry: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <Message isFailure title={t('paneBroken.title')} text={t('paneBroken.text')}>
      <Button onClick={onRetry}>{t('paneBroken.retry')}</Button>
    </Message>
  )
}
