import type { ChangeName } from '../../people/changes.ts';
import type { listAgents, Listed } from '../../people/list.ts';
import type { SignedIn } from '../../people/session.ts';
import { Layout, type Site } from '../layout.tsx';

type Agent = Awaited<ReturnType<typeof listAgents>>[number];

interface UsersProps {
  readonly site: Site;
  readonly signedIn: SignedIn;
  readonly people: readonly Listed[];
  /** Address that the next page of people goes on from. */
  readonly next: string | undefined;
  readonly agents: readonly Agent[];
}

/** Everybody who may sign in, and every program with a token: what each may do, with the forms that change it. */
export function UsersPage({ site, signedIn, people, next, agents }: UsersProps) {
  const { csrf, person: self } = signedIn;
  return (
    <Layout site={site} title="Users · Mervare" description="People and programs." at="/account">
      <h1>Users</h1>
      <p>Every change is recorded in the audit trail. It counts from the next call on.</p>
      <People people={people} csrf={csrf} self={self.id} />
      {next !== undefined && (
        <p>
          <a href={`/admin/users?${new URLSearchParams({ after: next }).toString()}`}>More people</a>
        </p>
      )}
      <NewPerson csrf={csrf} />
      <Agents agents={agents} csrf={csrf} />
    </Layout>
  );
}

function People({ people, csrf, self }: { people: readonly Listed[]; csrf: string; self: string }) {
  return (
    <div class="scrolls" tabindex={0} role="region" aria-label="People">
      <table>
        <caption>People</caption>
        <thead>
          <tr>
            <th scope="col">Person</th>
            <th scope="col">Super admin</th>
            <th scope="col">Builder access</th>
            <th scope="col">Account</th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => {
            const common = { csrf, target: person.id, of: person.email };
            const { isSuperAdmin, hasBuilderGrant, disabledAt, id } = person;
            return (
              <tr>
                <th scope="row">
                  {person.name}
                  <br />
                  {person.email}
                </th>
                <td>
                  <Switch
                    {...common}
                    on={isSuperAdmin}
                    words={['yes', 'no']}
                    change={isSuperAdmin ? 'unmake_super_admin' : 'make_super_admin'}
                    says={isSuperAdmin ? 'Make no super admin' : 'Make super admin'}
                    fixed={id === self}
                  />
                </td>
                <td>
                  <Switch
                    {...common}
                    on={hasBuilderGrant}
                    words={['granted', 'not granted']}
                    change={hasBuilderGrant ? 'withdraw_builder' : 'grant_builder'}
                    says={hasBuilderGrant ? 'Withdraw builder access' : 'Grant builder access'}
                  />
                </td>
                <td>
                  <Switch
                    {...common}
                    on={disabledAt === null}
                    words={['active', 'disabled']}
                    change={disabledAt === null ? 'disable' : 'enable'}
                    says={disabledAt === null ? 'Disable account' : 'Enable account'}
                    fixed={id === self}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface SwitchProps {
  readonly csrf: string;
  readonly target: string;
  /** Whose it is, for those who hear the button without its row. */
  readonly of: string;
  readonly on: boolean;
  readonly words: readonly [on: string, off: string];
  readonly change: ChangeName;
  readonly says: string;
  /** Nobody takes it from themselves. */
  readonly fixed?: boolean;
}

/** What holds, and the button that changes it. */
function Switch({ csrf, target, of, on, words, change, says, fixed = false }: SwitchProps) {
  return (
    <form class="switch" method="post" action="/admin/users/change">
      <span class={on ? 'state open' : 'state'}>{on ? words[0] : words[1]}</span>
      {!fixed && (
        <>
          <input type="hidden" name="csrf" value={csrf} />
          <input type="hidden" name="change" value={change} />
          <input type="hidden" name="target" value={target} />
          <button type="submit" aria-label={`${says}: ${of}`}>
            {says}
          </button>
        </>
      )}
    </form>
  );
}

function Agents({ agents, csrf }: { agents: readonly Agent[]; csrf: string }) {
  return (
    <section aria-labelledby="programs">
      <h2 id="programs">Programs</h2>
      <p>
        A name of SURVEY_AGENT_TOKENS, AGENT_CONTROL_TOKENS or BUILDER_AGENT_TOKENS stands here from the first
        start that saw it. While its access is withdrawn, its tokens open nothing but public facts.
      </p>
      {agents.length === 0 ? (
        <p>No program has a token.</p>
      ) : (
        <table>
          <caption>Programs with a token</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Access</th>
            </tr>
          </thead>
          <tbody>
            {agents.map(({ name, withdrawnAt }) => (
              <tr>
                <th scope="row">{name}</th>
                <td>
                  <Switch
                    csrf={csrf}
                    target={name}
                    of={name}
                    on={withdrawnAt === null}
                    words={['granted', 'withdrawn']}
                    change={withdrawnAt === null ? 'withdraw_agent' : 'grant_agent'}
                    says={withdrawnAt === null ? 'Withdraw access' : 'Grant access'}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function NewPerson({ csrf }: { csrf: string }) {
  return (
    <section aria-labelledby="new">
      <h2 id="new">New person</h2>
      <p>A password is made and shown once, to be handed over and changed.</p>
      <form class="stacked" method="post" action="/admin/users">
        <input type="hidden" name="csrf" value={csrf} />
        <p class="field">
          <label for="name">Name</label>
          <input id="name" name="name" required maxlength={200} autocomplete="off" />
        </p>
        <p class="field">
          <label for="email">E-mail</label>
          <input id="email" name="email" type="email" required maxlength={254} autocomplete="off" />
        </p>
        <p class="choice">
          <input id="super" name="super" type="checkbox" value="yes" />
          <label for="super">Super admin</label>
        </p>
        <button type="submit">Create</button>
      </form>
    </section>
  );
}

interface CreatedProps {
  readonly site: Site;
  readonly email: string;
  readonly password: string;
}

/** The one answer that a made password stands in. */
export function CreatedPage({ site, email, password }: CreatedProps) {
  return (
    <Layout site={site} title="Person created · Mervare" description="A new account." at="/account">
      <h1>Person created</h1>
      <dl class="facts">
        <div>
          <dt>E-mail</dt>
          <dd>{email}</dd>
        </div>
        <div>
          <dt>Password</dt>
          <dd>
            <code>{password}</code>
          </dd>
        </div>
      </dl>
      <p>This password is not kept and not shown again.</p>
      <p>
        <a href="/admin/users">Users</a>
      </p>
    </Layout>
  );
}
