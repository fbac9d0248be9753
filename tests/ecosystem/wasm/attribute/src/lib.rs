//! `#[test]` for suites in WebAssembly: exports the test under its path, in place of an entry in libtest's list.

use proc_macro::{TokenStream, TokenTree};

/// Keep the function, and export one that runs it.
///
/// The name of the export is `test`, `ignore` or `should_panic`, a space, and the path of the function.
#[proc_macro_attribute]
pub fn test(_: TokenStream, function: TokenStream) -> TokenStream {
    let (mut kind, mut name, mut after_fn) = ("test", String::new(), false);
    for token in function.clone() {
        match token {
            TokenTree::Group(group) if name.is_empty() => {
                kind = marked(&group.stream()).unwrap_or(kind);
            }
            TokenTree::Ident(ident) if after_fn => {
                name = ident.to_string();
                break;
            }
            token => after_fn = token.to_string() == "fn",
        }
    }
    let export = format!(
        "const _: () = {{
            #[unsafe(export_name = concat!(\"{kind} \", module_path!(), \"::{name}\"))]
            extern \"C\" fn exported() {{ ::in_wasm::run({name}) }}
        }};"
    );
    let export: TokenStream = export.parse().expect("an item");
    function.into_iter().chain(export).collect()
}

/// Return the kind of a test that an attribute marks.
fn marked(attribute: &TokenStream) -> Option<&'static str> {
    let text = attribute.to_string();
    assert!(
        !text.starts_with("should_panic("),
        "the runner compares no messages: {text}"
    );
    ["ignore", "should_panic"]
        .into_iter()
        .find(|mark| text.starts_with(mark))
}
