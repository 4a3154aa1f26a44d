// The global that all environments share (Node, browser). Packages bring the types of others, which the linter refuses here.
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
