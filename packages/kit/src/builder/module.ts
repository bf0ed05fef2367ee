import { ModuleBuilder, type AnyParamsState, type ModuleConfig } from './module-builder.ts';

/** Begins a group of steps for several skills. A step of it that leads to `__parent__` leaves it. */
export function module(config: ModuleConfig): ModuleBuilder<AnyParamsState> {
  return new ModuleBuilder(config);
}
