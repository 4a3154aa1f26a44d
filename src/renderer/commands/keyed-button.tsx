import type { ComponentProps } from 'react'

import type { CommandId } from '../../contract/domain/shortcuts.ts'
import { Button } from '../ui/button.tsx'
import { useKeyed } from './shown-keys.ts'

interface Props extends ComponentProps<typeof Button> {
  /** What the button does by keys as well; null while it does something else. */
  readonly command: CommandId | null
}

/** A button that tells its keys. */
export function KeyedButton({ command, ...button }: Props) {
  const keyed = useKeyed()
  return <Button {...keyed(button.children, command)} {...button} />
}
