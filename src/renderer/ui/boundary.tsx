import { Component } from 'react'
import type { ReactNode } from 'react'

import { Button } from './button.tsx'
import { Message } from './message.tsx'

interface Props {
  readonly title: string
  readonly text: string
  readonly retry: string
  readonly children: ReactNode
}

/** Keeps a fault of one pane inside that pane: the others stay, and this one can be drawn again. */
export class Boundary extends Component<Props, { readonly isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError(): { readonly isBroken: boolean } {
    return { isBroken: true }
  }

  override render(): ReactNode {
    const { title, text, retry, children } = this.props
    if (!this.state.isBroken) return children
    return (
      <Message isFailure title={title} text={text}>
        <Button onClick={() => this.setState({ isBroken: false })}>{retry}</Button>
      </Message>
    )
  }
}
