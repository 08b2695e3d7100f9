package dev.stoker;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/**
 * Marks what programs that use Stoker as a library may rely on: it changes only with a major version. Everything else
 * that is public is public for other packages of Stoker, and may change at any time. A test compares the marked types
 * with {@code core/src/test/resources/public-api.txt}.
 */
@Documented
@Target(ElementType.TYPE)
public @interface PublicApi {}
