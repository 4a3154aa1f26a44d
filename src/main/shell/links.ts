import type { App } from 'electron'

/** The link among the arguments of a start; null if there is none. */
export const linkIn = (args: readonly string[]): string | null =>
  args.find((argument) => /^galley:/i.test(argument)) ?? null

/**
 * Links that a browser or another program hands over: to this start, to a later one, and by an event on macOS. Each is given
 * to the window that is there, or waits for it.
 */
export function createLinks(app: Pick<App, 'on'>, args: readonly string[]) {
  let waiting = linkIn(args)
  let show: ((link: string) => void) | null = null
  const arrived = (link: string | null): void => {
    if (link === null) return
    if (show === null) waiting = link
    else show(link)
  }
  app.on('second-instance', (_event, later) => arrived(linkIn(later)))
  app.on('open-url', (event, link) => {
    event.preventDefault()
    arrived(link)
  })
  return {
    /** Gives links to the window of an open library until the returned function is called. */
    showIn(next: (link: string) => void): () => void {
      show = next
      const link = waiting
      waiting = null
      arrived(link)
      return () => (show = null)
    },
  }
}

export type Links = ReturnType<typeof createLinks>
