//! Prints what `syn` finds in each Rust file named on standard input, one file a line of JSON: `{"path", "inventory"}`
//! or `{"path", "error"}`. An inventory entry is `<line> <kind> <details>`; `inventory.ts` makes the same from our tree.

use std::io::{self, BufRead, Write};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{AttrStyle, Attribute, Expr, Fields, FnArg, GenericArgument, Pat, PathArguments, Token, Type, TypeParamBound, UseTree};

struct Inventory {
    entries: Vec<String>,
}

fn line(span: proc_macro2::Span) -> usize {
    span.start().line
}

fn name_of(path: &syn::Path) -> String {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>().join("::")
}

fn show_path(path: &syn::Path) -> String {
    let mut text = Vec::new();
    for segment in &path.segments {
        let arguments = match &segment.arguments {
            PathArguments::AngleBracketed(list) => {
                let shown: Vec<String> = list
                    .args
                    .iter()
                    .filter_map(|one| match one {
                        GenericArgument::Type(inner) => Some(show(inner)),
                        GenericArgument::Const(_) => Some("?".to_string()),
                        _ => None,
                    })
                    .collect();
                if shown.is_empty() { String::new() } else { format!("<{}>", shown.join(",")) }
            }
            _ => String::new(),
        };
        text.push(format!("{}{}", segment.ident, arguments));
    }
    text.join("::")
}

fn bounds<'a>(list: impl IntoIterator<Item = &'a TypeParamBound>) -> String {
    format!("bounds/{}", list.into_iter().filter(|one| matches!(one, TypeParamBound::Trait(_))).count())
}

fn show(kind: &Type) -> String {
    match kind {
        Type::Path(path) => show_path(&path.path),
        Type::Reference(inner) => format!("&{}{}", if inner.mutability.is_some() { "mut " } else { "" }, show(&inner.elem)),
        Type::Ptr(inner) => format!("*{}{}", if inner.mutability.is_some() { "mut " } else { "" }, show(&inner.elem)),
        Type::Array(inner) => format!("[{};n]", show(&inner.elem)),
        Type::Slice(inner) => format!("[{}]", show(&inner.elem)),
        Type::Tuple(inner) => format!("({})", inner.elems.iter().map(show).collect::<Vec<_>>().join(",")),
        Type::ImplTrait(inner) => bounds(&inner.bounds),
        Type::TraitObject(inner) => bounds(&inner.bounds),
        Type::BareFn(inner) => format!("fn/{}", inner.inputs.len()),
        Type::Never(_) => "!".to_string(),
        Type::Infer(_) => "_".to_string(),
        Type::Paren(inner) => show(&inner.elem),
        Type::Group(inner) => show(&inner.elem),
        _ => "?".to_string(),
    }
}

/// The kind of an expression, as our tree names it.
fn kind_of(expression: &Expr) -> &'static str {
    match expression {
        Expr::Array(_) => "array",
        Expr::Assign(_) => "assign",
        Expr::Async(_) | Expr::Block(_) | Expr::Const(_) | Expr::TryBlock(_) | Expr::Unsafe(_) => "block",
        Expr::Await(_) => "await",
        Expr::Binary(one) => if is_assignment(&one.op) { "assign" } else { "binary" },
        Expr::Break(_) => "break",
        Expr::Call(_) => "call",
        Expr::Cast(_) => "cast",
        Expr::Closure(_) => "closure",
        Expr::Continue(_) => "continue",
        Expr::Field(_) => "field",
        Expr::ForLoop(_) => "for",
        Expr::Group(one) => kind_of(&one.expr),
        Expr::If(_) => "if",
        Expr::Index(_) => "index",
        Expr::Infer(_) => "path",
        Expr::Let(_) => "let",
        Expr::Lit(_) => "literal",
        Expr::Loop(_) => "loop",
        Expr::Macro(_) => "macro",
        Expr::Match(_) => "match",
        Expr::MethodCall(_) => "methodCall",
        Expr::Paren(one) => kind_of(&one.expr),
        Expr::Path(_) => "path",
        Expr::Range(_) => "range",
        Expr::RawAddr(_) | Expr::Reference(_) => "reference",
        Expr::Repeat(_) => "repeat",
        Expr::Return(_) => "return",
        Expr::Struct(_) => "struct",
        Expr::Try(_) => "try",
        Expr::Tuple(_) => "tuple",
        Expr::Unary(_) => "unary",
        Expr::While(_) => "while",
        _ => "unknown",
    }
}

fn is_assignment(operator: &syn::BinOp) -> bool {
    use syn::BinOp::*;
    matches!(
        operator,
        AddAssign(_) | SubAssign(_) | MulAssign(_) | DivAssign(_) | RemAssign(_) | BitXorAssign(_) | BitAndAssign(_)
            | BitOrAssign(_) | ShlAssign(_) | ShrAssign(_)
    )
}

fn operator(operator: &syn::BinOp) -> &'static str {
    use syn::BinOp::*;
    match operator {
        Add(_) | AddAssign(_) => "+",
        Sub(_) | SubAssign(_) => "-",
        Mul(_) | MulAssign(_) => "*",
        Div(_) | DivAssign(_) => "/",
        Rem(_) | RemAssign(_) => "%",
        And(_) => "&&",
        Or(_) => "||",
        BitXor(_) | BitXorAssign(_) => "^",
        BitAnd(_) | BitAndAssign(_) => "&",
        BitOr(_) | BitOrAssign(_) => "|",
        Shl(_) | ShlAssign(_) => "<<",
        Shr(_) | ShrAssign(_) => ">>",
        Eq(_) => "==",
        Lt(_) => "<",
        Le(_) => "<=",
        Ne(_) => "!=",
        Ge(_) => ">=",
        Gt(_) => ">",
        _ => "?",
    }
}

/// `cfg(test)`, alone or inside `all(…)` and `any(…)`, and the attributes of test functions.
fn is_test_only(attributes: &[Attribute]) -> bool {
    fn mentions_test(input: ParseStream) -> syn::Result<bool> {
        let mut found = false;
        for one in Punctuated::<syn::Meta, Token![,]>::parse_terminated(input)? {
            found |= match &one {
                syn::Meta::Path(path) => path.is_ident("test"),
                syn::Meta::List(list) if list.path.is_ident("all") || list.path.is_ident("any") => {
                    mentions_test.parse2(list.tokens.clone())?
                }
                _ => false,
            };
        }
        Ok(found)
    }
    attributes.iter().any(|attribute| {
        let last = attribute.path().segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        match last.as_str() {
            "cfg" => attribute.parse_args_with(mentions_test).unwrap_or(false),
            "test" | "bench" | "rstest" => true,
            _ => false,
        }
    })
}

fn attributes_of(item: &syn::Item) -> &[Attribute] {
    match item {
        syn::Item::Const(one) => &one.attrs,
        syn::Item::Enum(one) => &one.attrs,
        syn::Item::ExternCrate(one) => &one.attrs,
        syn::Item::Fn(one) => &one.attrs,
        syn::Item::ForeignMod(one) => &one.attrs,
        syn::Item::Impl(one) => &one.attrs,
        syn::Item::Macro(one) => &one.attrs,
        syn::Item::Mod(one) => &one.attrs,
        syn::Item::Static(one) => &one.attrs,
        syn::Item::Struct(one) => &one.attrs,
        syn::Item::Trait(one) => &one.attrs,
        syn::Item::Type(one) => &one.attrs,
        syn::Item::Union(one) => &one.attrs,
        syn::Item::Use(one) => &one.attrs,
        _ => &[],
    }
}

impl Inventory {
    fn add(&mut self, at: proc_macro2::Span, entry: String) {
        self.entries.push(format!("{} {}", line(at), entry));
    }

    /// Attributes in front of what they belong to, other than documentation, which our tree holds as comments.
    fn attributes(&mut self, list: &[Attribute]) {
        for one in list {
            if matches!(one.style, AttrStyle::Outer) && !one.path().is_ident("doc") {
                self.add(one.pound_token.span, format!("attribute {}", name_of(one.path())));
            }
        }
    }

    fn fields(&mut self, fields: &Fields) -> String {
        let mut shown = Vec::new();
        for (index, one) in fields.iter().enumerate() {
            self.attributes(&one.attrs);
            let name = one.ident.as_ref().map(|ident| ident.to_string()).unwrap_or(index.to_string());
            shown.push(format!("{}: {}", name, show(&one.ty)));
        }
        shown.join(", ")
    }

    fn signature(&mut self, attributes: &[Attribute], signature: &syn::Signature) {
        self.attributes(attributes);
        let mut shown = Vec::new();
        for one in &signature.inputs {
            match one {
                FnArg::Receiver(receiver) => shown.push(
                    match (&receiver.reference, receiver.mutability) {
                        (None, _) => "self",
                        (Some(_), None) => "&self",
                        (Some(_), Some(_)) => "&mut self",
                    }
                    .to_string(),
                ),
                FnArg::Typed(typed) => {
                    self.attributes(&typed.attrs);
                    shown.push(format!("{}: {}", binding(&typed.pat), show(&typed.ty)));
                }
            }
        }
        let result = match &signature.output {
            syn::ReturnType::Default => String::new(),
            syn::ReturnType::Type(_, kind) => format!(" -> {}", show(kind)),
        };
        let modifiers = format!(
            "{}{}",
            if signature.asyncness.is_some() { " async" } else { "" },
            if signature.unsafety.is_some() { " unsafe" } else { "" }
        );
        self.add(signature.ident.span(), format!("function {}({}){}{}", signature.ident, shown.join(", "), result, modifiers));
    }

    fn imports(&mut self, at: proc_macro2::Span, tree: &UseTree, prefix: &[String]) {
        let with = |name: &syn::Ident| -> Vec<String> {
            // `self` in a list stands for what the list belongs to.
            if name == "self" && !prefix.is_empty() {
                return prefix.to_vec();
            }
            prefix.iter().cloned().chain([name.to_string()]).collect()
        };
        match tree {
            UseTree::Path(path) => {
                let longer: Vec<String> = prefix.iter().cloned().chain([path.ident.to_string()]).collect();
                self.imports(at, &path.tree, &longer);
            }
            UseTree::Name(one) => {
                let path = with(&one.ident);
                self.add(at, format!("use {} as {}", path.join("::"), path.last().cloned().unwrap_or_default()));
            }
            UseTree::Rename(one) => self.add(at, format!("use {} as {}", with(&one.ident).join("::"), one.rename)),
            UseTree::Glob(_) => self.add(at, format!("use {} as *", prefix.join("::"))),
            UseTree::Group(group) => {
                for one in &group.items {
                    self.imports(at, one, prefix);
                }
            }
        }
    }

    /// A macro's tokens as our front end reads them: the arguments of a call, elements of a list, or value and pattern.
    fn macro_call(&mut self, call: &syn::Macro) {
        let name = call.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        let at = call.path.segments.first().map(|segment| segment.ident.span()).unwrap_or(call.span());
        let tokens = call.tokens.clone();
        let empty = tokens.is_empty();
        if name == "matches" || name == "assert_matches" {
            let parsed = (|input: ParseStream| {
                let value: Expr = input.parse()?;
                input.parse::<Token![,]>()?;
                let pattern = Pat::parse_multi_with_leading_vert(input)?;
                let guard = if input.parse::<Option<Token![if]>>()?.is_some() { Some(input.parse::<Expr>()?) } else { None };
                input.parse::<Option<Token![,]>>()?;
                Ok((value, pattern, guard))
            })
            .parse2(tokens);
            match parsed {
                Ok((value, pattern, guard)) => {
                    self.add(at, format!("macro {} {}", name, kind_of(&value)));
                    self.visit_expr(&value);
                    self.visit_pat(&pattern);
                    if let Some(guard) = guard {
                        self.visit_expr(&guard);
                    }
                }
                Err(_) => self.add(at, format!("macro {} unread", name)),
            }
            return;
        }
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        let repeat = |input: ParseStream| {
            let value: Expr = input.parse()?;
            input.parse::<Token![;]>()?;
            Ok(vec![value, input.parse::<Expr>()?])
        };
        let bracket = matches!(call.delimiter, syn::MacroDelimiter::Bracket(_));
        let arguments = match list.parse2(tokens.clone()) {
            Ok(found) => Some(found.into_iter().collect::<Vec<_>>()),
            Err(_) if bracket => repeat.parse2(tokens).ok(),
            Err(_) => None,
        };
        match arguments {
            Some(found) => {
                let kinds: Vec<&str> = found.iter().map(kind_of).collect();
                self.add(at, format!("macro {} {}", name, if empty { "empty".to_string() } else { kinds.join(",") }));
                for one in &found {
                    self.visit_expr(one);
                }
            }
            None => self.add(at, format!("macro {} unread", name)),
        }
    }
}

fn binding(pattern: &Pat) -> String {
    match pattern {
        Pat::Ident(one) => one.ident.to_string(),
        Pat::Wild(_) => "_".to_string(),
        _ => "…".to_string(),
    }
}

impl<'a> Visit<'a> for Inventory {
    fn visit_item(&mut self, item: &'a syn::Item) {
        let attributes = attributes_of(item);
        if is_test_only(attributes) {
            return;
        }
        match item {
            syn::Item::Fn(one) => {
                self.signature(&one.attrs, &one.sig);
                self.visit_block(&one.block);
            }
            syn::Item::Struct(one) => {
                self.attributes(attributes);
                let fields = self.fields(&one.fields);
                self.add(one.ident.span(), format!("struct {} {{ {} }}", one.ident, fields));
            }
            syn::Item::Union(one) => {
                self.attributes(attributes);
                let fields = self.fields(&Fields::Named(one.fields.clone()));
                self.add(one.ident.span(), format!("struct {} {{ {} }}", one.ident, fields));
            }
            syn::Item::Enum(one) => {
                self.attributes(attributes);
                self.add(one.ident.span(), format!("enum {} {}", one.ident, one.variants.len()));
                for variant in &one.variants {
                    self.attributes(&variant.attrs);
                    let fields = self.fields(&variant.fields);
                    self.add(variant.ident.span(), format!("variant {} {{ {} }}", variant.ident, fields));
                    if let Some((_, value)) = &variant.discriminant {
                        self.visit_expr(value);
                    }
                }
            }
            syn::Item::Impl(one) => {
                self.attributes(attributes);
                let of = one.trait_.as_ref().map(|(_, path, _)| format!("{} for ", show_path(path))).unwrap_or_default();
                self.add(one.self_ty.span(), format!("impl {}{}", of, show(&one.self_ty)));
                for inner in &one.items {
                    self.visit_impl_item(inner);
                }
            }
            syn::Item::Trait(one) => {
                self.attributes(attributes);
                self.add(one.ident.span(), format!("trait {}", one.ident));
                for inner in &one.items {
                    self.visit_trait_item(inner);
                }
            }
            syn::Item::Mod(one) => {
                self.attributes(attributes);
                let inline = if one.content.is_some() { " inline" } else { "" };
                self.add(one.ident.span(), format!("module {}{}", one.ident, inline));
                for inner in one.content.iter().flat_map(|(_, items)| items) {
                    self.visit_item(inner);
                }
            }
            syn::Item::ForeignMod(one) => {
                self.attributes(attributes);
                for inner in &one.items {
                    if let syn::ForeignItem::Fn(function) = inner {
                        self.signature(&function.attrs, &function.sig);
                    }
                }
            }
            syn::Item::Use(one) => {
                self.attributes(attributes);
                self.imports(one.use_token.span, &one.tree, &[]);
            }
            syn::Item::Const(one) => {
                self.attributes(attributes);
                self.add(one.ident.span(), format!("const {}: {}", one.ident, show(&one.ty)));
                self.visit_expr(&one.expr);
            }
            syn::Item::Static(one) => {
                self.attributes(attributes);
                self.add(one.ident.span(), format!("const {}: {}", one.ident, show(&one.ty)));
                self.visit_expr(&one.expr);
            }
            syn::Item::Type(one) => {
                self.attributes(attributes);
                self.add(one.ident.span(), format!("type {} = {}", one.ident, show(&one.ty)));
            }
            syn::Item::ExternCrate(one) => self.attributes(&one.attrs),
            syn::Item::Macro(one) => {
                self.attributes(attributes);
                match &one.ident {
                    Some(name) => self.add(name.span(), format!("macro_rules {}", name)),
                    None => self.macro_call(&one.mac),
                }
            }
            _ => {}
        }
    }

    fn visit_impl_item(&mut self, item: &'a syn::ImplItem) {
        match item {
            syn::ImplItem::Fn(one) if !is_test_only(&one.attrs) => {
                self.signature(&one.attrs, &one.sig);
                self.visit_block(&one.block);
            }
            syn::ImplItem::Const(one) if !is_test_only(&one.attrs) => {
                self.attributes(&one.attrs);
                self.add(one.ident.span(), format!("const {}: {}", one.ident, show(&one.ty)));
                self.visit_expr(&one.expr);
            }
            syn::ImplItem::Type(one) if !is_test_only(&one.attrs) => {
                self.attributes(&one.attrs);
                self.add(one.ident.span(), format!("type {} = {}", one.ident, show(&one.ty)));
            }
            syn::ImplItem::Macro(one) => {
                self.attributes(&one.attrs);
                self.macro_call(&one.mac);
            }
            _ => {}
        }
    }

    fn visit_trait_item(&mut self, item: &'a syn::TraitItem) {
        match item {
            syn::TraitItem::Fn(one) if !is_test_only(&one.attrs) => {
                self.signature(&one.attrs, &one.sig);
                if let Some(body) = &one.default {
                    self.visit_block(body);
                }
            }
            syn::TraitItem::Const(one) if !is_test_only(&one.attrs) => {
                self.attributes(&one.attrs);
                self.add(one.ident.span(), format!("const {}: {}", one.ident, show(&one.ty)));
                if let Some((_, value)) = &one.default {
                    self.visit_expr(value);
                }
            }
            syn::TraitItem::Type(one) if !is_test_only(&one.attrs) => {
                self.attributes(&one.attrs);
                let default = one.default.as_ref().map(|(_, kind)| format!(" = {}", show(kind))).unwrap_or_default();
                self.add(one.ident.span(), format!("type {}{}", one.ident, default));
            }
            syn::TraitItem::Macro(one) => self.macro_call(&one.mac),
            _ => {}
        }
    }

    fn visit_stmt(&mut self, statement: &'a syn::Stmt) {
        match statement {
            syn::Stmt::Local(one) => {
                if is_test_only(&one.attrs) {
                    return;
                }
                let (value, otherwise) = match &one.init {
                    Some(init) => (kind_of(&init.expr), if init.diverge.is_some() { " else" } else { "" }),
                    None => ("nothing", ""),
                };
                self.add(one.let_token.span, format!("local = {}{}", value, otherwise));
                self.visit_pat(&one.pat);
                if let Some(init) = &one.init {
                    self.visit_expr(&init.expr);
                    if let Some((_, block)) = &init.diverge {
                        self.visit_expr(block);
                    }
                }
            }
            syn::Stmt::Item(item) => self.visit_item(item),
            syn::Stmt::Expr(expression, _) => {
                if !is_test_only(expression_attributes(expression)) {
                    self.visit_expr(expression)
                }
            }
            syn::Stmt::Macro(one) => {
                if !is_test_only(&one.attrs) {
                    self.macro_call(&one.mac)
                }
            }
        }
    }

    fn visit_arm(&mut self, arm: &'a syn::Arm) {
        self.visit_pat(&arm.pat);
        if let Some((_, guard)) = &arm.guard {
            self.visit_expr(guard);
        }
        self.visit_expr(&arm.body);
    }

    fn visit_pat(&mut self, pattern: &'a Pat) {
        match pattern {
            Pat::Ident(one) => {
                let mutable = if one.mutability.is_some() { "mut " } else { "" };
                self.add(one.ident.span(), format!("binding {}{}", mutable, one.ident));
                if let Some((_, inner)) = &one.subpat {
                    self.visit_pat(inner);
                }
            }
            Pat::TupleStruct(one) => {
                self.add(one.path.span(), format!("pattern {} {}", name_of(&one.path), one.elems.len()));
                one.elems.iter().for_each(|inner| self.visit_pat(inner));
            }
            Pat::Struct(one) => {
                let rest = if one.rest.is_some() { " .." } else { "" };
                self.add(one.path.span(), format!("pattern {} {}{}", name_of(&one.path), one.fields.len(), rest));
                one.fields.iter().for_each(|field| self.visit_pat(&field.pat));
            }
            Pat::Path(one) => self.add(one.path.span(), format!("pattern {}", name_of(&one.path))),
            Pat::Lit(_) | Pat::Range(_) | Pat::Macro(_) | Pat::Const(_) => {}
            Pat::Type(one) => self.visit_pat(&one.pat),
            Pat::Paren(one) => self.visit_pat(&one.pat),
            Pat::Reference(one) => self.visit_pat(&one.pat),
            Pat::Or(one) => one.cases.iter().for_each(|inner| self.visit_pat(inner)),
            Pat::Slice(one) => one.elems.iter().for_each(|inner| self.visit_pat(inner)),
            Pat::Tuple(one) => one.elems.iter().for_each(|inner| self.visit_pat(inner)),
            _ => {}
        }
    }

    fn visit_type(&mut self, _: &'a Type) {}
    fn visit_path(&mut self, _: &'a syn::Path) {}
    fn visit_attribute(&mut self, _: &'a Attribute) {}

    fn visit_expr(&mut self, expression: &'a Expr) {
        let at = expression.span();
        let some = |one: &Option<Box<Expr>>| one.as_ref().map(|inner| kind_of(inner)).unwrap_or("nothing");
        match expression {
            Expr::Paren(_) | Expr::Group(_) => {}
            Expr::Macro(one) => {
                self.macro_call(&one.mac);
                return;
            }
            Expr::Call(one) => {
                let arguments: Vec<&str> = one.args.iter().map(kind_of).collect();
                let mut callee = &*one.func;
                while let Expr::Paren(inner) = callee {
                    callee = &inner.expr;
                }
                let callee = match callee {
                    Expr::Path(path) => name_of(&path.path),
                    other => kind_of(other).to_string(),
                };
                // Its own span includes its attributes, as that of `try`.
                self.add(one.func.span(), format!("call {}({})", callee, arguments.join(",")));
            }
            Expr::MethodCall(one) => {
                let arguments: Vec<&str> = one.args.iter().map(kind_of).collect();
                self.add(one.method.span(), format!("methodCall {}.{}({})", kind_of(&one.receiver), one.method, arguments.join(",")));
            }
            Expr::Path(one) => self.add(at, format!("path {}", name_of(&one.path))),
            Expr::Infer(_) => self.add(at, "path _".to_string()),
            Expr::Field(one) => {
                let name = match &one.member {
                    syn::Member::Named(name) => name.to_string(),
                    syn::Member::Unnamed(index) => index.index.to_string(),
                };
                self.add(one.member.span(), format!("field {}.{}", kind_of(&one.base), name));
            }
            Expr::Binary(one) => {
                let kind = if is_assignment(&one.op) { "assign" } else { "binary" };
                self.add(at, format!("{} {} {} {}", kind, kind_of(&one.left), operator(&one.op), kind_of(&one.right)));
            }
            Expr::Assign(one) => self.add(at, format!("assign {} = {}", kind_of(&one.left), kind_of(&one.right))),
            Expr::Unary(one) => {
                let sign = match one.op {
                    syn::UnOp::Deref(_) => "*",
                    syn::UnOp::Not(_) => "!",
                    _ => "-",
                };
                self.add(at, format!("unary {} {}", sign, kind_of(&one.expr)));
            }
            Expr::Reference(one) => {
                self.add(at, format!("reference {}{}", if one.mutability.is_some() { "mut " } else { "" }, kind_of(&one.expr)))
            }
            Expr::RawAddr(one) => {
                let mutable = matches!(one.mutability, syn::PointerMutability::Mut(_));
                self.add(at, format!("reference {}{}", if mutable { "mut " } else { "" }, kind_of(&one.expr)))
            }
            Expr::Cast(one) => self.add(at, format!("cast {} as {}", kind_of(&one.expr), show(&one.ty))),
            Expr::Struct(one) => {
                let fields: Vec<String> = one
                    .fields
                    .iter()
                    .map(|field| match &field.member {
                        syn::Member::Named(name) => format!("{}: {}", name, kind_of(&field.expr)),
                        syn::Member::Unnamed(index) => format!("{}: {}", index.index, kind_of(&field.expr)),
                    })
                    .collect();
                self.add(at, format!("struct {} {{ {} }} {}", name_of(&one.path), fields.join(", "), some(&one.rest)));
            }
            Expr::Closure(one) => {
                self.add(at, format!("closure {} {}", one.inputs.len(), kind_of(&one.body)));
            }
            Expr::If(one) => {
                let otherwise = one.else_branch.as_ref().map(|(_, inner)| kind_of(inner)).unwrap_or("nothing");
                self.add(at, format!("if {} else {}", kind_of(&one.cond), otherwise));
            }
            Expr::Let(one) => self.add(at, format!("let {}", kind_of(&one.expr))),
            Expr::Match(one) => self.add(at, format!("match {} {}", kind_of(&one.expr), one.arms.len())),
            Expr::Range(one) => self.add(at, format!("range {} {}", some(&one.start), some(&one.end))),
            Expr::Return(one) => self.add(at, format!("return {}", some(&one.expr))),
            Expr::Break(one) => self.add(at, format!("break {}", some(&one.expr))),
            Expr::Index(one) => self.add(at, format!("index {} {}", kind_of(&one.expr), kind_of(&one.index))),
            Expr::Try(one) => self.add(one.expr.span(), format!("try {}", kind_of(&one.expr))),
            Expr::Tuple(one) => self.add(at, format!("tuple {}", one.elems.len())),
            Expr::Array(one) => self.add(at, format!("array {}", one.elems.len())),
            // A span includes the attributes.
            Expr::Block(one) => {
                let label = one.label.as_ref().map(|label| label.span());
                self.add(label.unwrap_or(one.block.brace_token.span.open()), "block".to_string())
            }
            Expr::Unsafe(_) | Expr::Async(_) | Expr::Const(_) => self.add(at, "block".to_string()),
            other => self.add(at, kind_of(other).to_string()),
        }
        visit::visit_expr(self, expression);
    }
}

fn expression_attributes(expression: &Expr) -> &[Attribute] {
    match expression {
        Expr::Block(one) => &one.attrs,
        Expr::If(one) => &one.attrs,
        Expr::Call(one) => &one.attrs,
        Expr::MethodCall(one) => &one.attrs,
        Expr::Match(one) => &one.attrs,
        Expr::Assign(one) => &one.attrs,
        Expr::Return(one) => &one.attrs,
        Expr::Macro(one) => &one.attrs,
        _ => &[],
    }
}

fn json(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn read(path: &str) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let file = syn::parse_file(&text).map_err(|error| format!("{}: {}", error.span().start().line, error))?;
    let mut inventory = Inventory { entries: Vec::new() };
    for item in &file.items {
        inventory.visit_item(item);
    }
    inventory.entries.sort();
    Ok(inventory.entries)
}

fn main() {
    // Chains of hundreds of operators are deep trees.
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(|| {
        let mut out = io::stdout().lock();
        for path in io::stdin().lock().lines() {
            let path = path.expect("standard input is text");
            let (key, value) = match read(&path) {
                Ok(entries) => ("inventory", format!("[{}]", entries.iter().map(|one| json(one)).collect::<Vec<_>>().join(","))),
                Err(error) => ("error", json(&error)),
            };
            writeln!(out, "{{\"path\":{},\"{}\":{}}}", json(&path), key, value).expect("standard output is open");
        }
    });
    worker.expect("a thread can be started").join().expect("no file brings the parser down");
}
