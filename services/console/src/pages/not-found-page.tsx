import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { PageHead } from '../parts/page-head.tsx';

/** An address that leads nowhere. */
export function NotFoundPage(): ReactNode {
  return (
    <>
      <PageHead title="There is no such page" />
      <p className="note">
        <Link href="/">Go to the turns</Link>
      </p>
    </>
  );
}
