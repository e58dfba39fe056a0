//! Enums whose values have names.

/// Defines an enum without fields: each value with its name, after `=`. The enum has the list of its values as `ALL`,
/// their names as `name()`, and is displayed as its name.
#[doc(hidden)]
#[macro_export]
macro_rules! named {
    ($(#[$meta:meta])* pub enum $type:ident { $($(#[$doc:meta])* $value:ident = $name:literal,)* }) => {
        $(#[$meta])*
        pub enum $type { $($(#[$doc])* $value,)* }

        impl $type {
            /// All values, in the order of their numbers.
            pub const ALL: [$type; [$($name),*].len()] = [$($type::$value),*];

            /// Returns the name in commands, records and messages.
            pub fn name(self) -> &'static str {
                match self {
                    $($type::$value => $name,)*
                }
            }
        }

        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
