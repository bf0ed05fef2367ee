import { Component, type ReactNode } from 'react';
import { ProblemNote } from './problem-note.tsx';

interface PageBoundaryProps {
  readonly children: ReactNode;
}

/** Keeps a page that cannot be drawn from taking the rest of the console with it. React has no other form for this. */
export class PageBoundary extends Component<PageBoundaryProps, { readonly error: Error | null }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <ProblemNote error={error} retry={() => this.setState({ error: null })} />;
  }
}
