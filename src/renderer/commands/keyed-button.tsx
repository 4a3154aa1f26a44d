import type { CommandId } from '@galley/library/records'
import type { ComponentProps } from 'react'

import { Button } from '../ui/button.tsx'
import { useKeyed } from './shown-keys.ts'

interface Props extends ComponentProps<typeof Button> {
  /** The command whose shortcut does the same; null while there is none. */
  readonly command: CommandId | null
}

/** A button that shows its shortcut. */
export function KeyedButton({ command, ...button }: Props) {
  const keyed = useKeyed()
  return <Button {...keyed(button.children, command)} {...button} />
}
