// The two names the pure core shares with every environment it runs in (Node, browser); nothing else of either is in reach here.
interface URL {
  readonly href: string
  readonly origin: string
  readonly protocol: string
  readonly username: string
  readonly password: string
  readonly host: string
  readonly hostname: string
  readonly port: string
  pathname: string
  search: string
  readonly hash: string
}
declare const URL: { new (url: string, base?: string): URL; canParse(url: string, base?: string): boolean }
